import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queue } from '../../../lib/queue.ts';
import type { CountedAlert } from './repo.ts';
import * as repo from './repo.ts';
import { cutToSize, kindKey, placeFor } from './rules.ts';
import { ALERT_QUEUE } from './schema.ts';
import type { Alerts } from './service.ts';

const LOG_LEVEL = { info: 'info', warn: 'warn', error: 'error', revenue: 'info' } as const;
/** Kinds held in memory while the database doesn't accept them; further ones go only to the log. */
const MOST_HELD = 500;
const PAUSE_MS = 5_000;
const CLOSE_MS = 3_000;

type Deps = { db: Db; queue: Queue; clock: Clock; log: Log };

/**
 * Logs alerts at once and stores them one after the other on one connection, so that a thousand of a kind cost the rest
 * of the process next to nothing. What the database doesn't accept is retried.
 * @param deps.db the pool, not a transaction
 */
export function createAlerts(deps: Deps): Alerts {
  const held = new Map<string, CountedAlert>();
  let storing: Promise<void> | undefined;
  let isClosed = false;

  /** An alert that can't be stored goes to the end of the line. */
  async function store(): Promise<void> {
    for (const [key, counted] of held) {
      held.delete(key);
      if (await isStored(deps, counted)) continue;
      if (isClosed) return;
      const meanwhile = held.get(key);
      held.set(key, meanwhile ? { ...meanwhile, count: meanwhile.count + counted.count } : counted);
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }

  function startStoring(): void {
    storing ??= store().finally(() => {
      storing = undefined;
      if (held.size > 0 && !isClosed) startStoring();
    });
  }

  return {
    tell(alert) {
      deps.log[LOG_LEVEL[alert.level]]({ alert }, `alert: ${alert.kind}`);
      const key = kindKey(alert) ?? `${alert.level} ${randomUUID()}`;
      const before = held.get(key);
      if (isClosed || (!before && held.size >= MOST_HELD)) return;
      held.set(key, { alert: cutToSize(alert), key, count: (before?.count ?? 0) + 1, at: deps.clock.now() });
      startStoring();
    },
    async close() {
      await Promise.race([storing, sleep(CLOSE_MS, undefined, { ref: false })]);
      isClosed = true;
    },
  };
}

async function isStored(deps: Deps, counted: CountedAlert): Promise<boolean> {
  try {
    const isDue = await place(deps, counted);
    // If this fails, the next minute's round sends the alert.
    if (isDue) await deps.queue.send(ALERT_QUEUE.name, {}).catch(err => deps.log.warn({ err }, 'alert not announced'));
    return true;
  } catch (err) {
    deps.log.warn({ err, kind: counted.alert.kind }, 'alert not stored');
    return false;
  }
}

/** True when an alert is to be sent at once. When many come together, the first goes out alone. */
async function place({ db }: Deps, counted: CountedAlert): Promise<boolean> {
  return db.transaction(async trx => {
    await repo.lockKind(trx, counted.key);
    const isDue = await placeSome(trx, { ...counted, count: 1 });
    if (counted.count > 1) await placeSome(trx, { ...counted, count: counted.count - 1 });
    return isDue;
  });
}

async function placeSome(trx: Db, counted: CountedAlert): Promise<boolean> {
  for (;;) {
    const chosen = placeFor(await repo.findNewest(trx, counted.key), counted.at);
    if (chosen.joins === undefined) {
      await repo.insertAlert(trx, counted, chosen);
      return !chosen.isRepeat;
    }
    if (await repo.joinAlert(trx, chosen.joins, counted)) return false;
  }
}
