import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertBot } from '../../../clients/alertBot/types.ts';
import { ClientError } from '../../../clients/errors.ts';
import { secondsAfter } from '../../../lib/clock.ts';
import { type Db, lockNamed } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queued } from '../../../lib/queue.ts';
import { messageFor } from './present.ts';
import * as repo from './repo.ts';
import { ALERT_QUEUE, type Alert, type StoredAlert } from './schema.ts';

export { deleteAlertsAbout } from './repo.ts';

/** Stores an alert for the operator and delivers it in the background. */
export type Alerts = {
  /** Never fails and never delays the caller. */
  tell(alert: Alert): void;
  /** Waits until the alerts so far are stored, a few seconds at most. Later ones are only logged. */
  close(): Promise<void>;
};

/** Alerts the operator. Never fails and never delays the caller; it is not part of the caller's transaction. */
export function notify(deps: { alerts: Alerts }, alert: Alert): void {
  deps.alerts.tell(alert);
}

const LOG_LEVEL = { info: 'info', warn: 'warn', error: 'error', revenue: 'info' } as const;
/** Kinds held in memory while the database doesn't accept them; further ones go only to the log. */
const MAX_BUFFERED_KINDS = 500;
const PAUSE_MS = 5_000;
const CLOSE_MS = 3_000;

type AlertsDeps = Queued & { log: Log };

/**
 * Logs alerts at once and stores them one after the other on one connection, so that a thousand of a kind cost the rest
 * of the process next to nothing. What the database doesn't accept is retried.
 * @param deps its `db` is the pool, not a transaction
 */
export function createAlerts(deps: AlertsDeps): Alerts {
  const buffer = new Map<string, repo.CountedAlert>();
  let storing: Promise<void> | undefined;
  let isClosed = false;

  /** Stores the buffered alerts one by one; one that can't be stored goes to the end of the buffer. */
  async function store(): Promise<void> {
    for (const [key, counted] of buffer) {
      buffer.delete(key);
      if (await tryToStore(deps, counted)) continue;
      if (isClosed) return;
      const meanwhile = buffer.get(key);
      buffer.set(key, meanwhile ? { ...meanwhile, count: meanwhile.count + counted.count } : counted);
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }

  function startStoring(): void {
    storing ??= store().finally(() => {
      storing = undefined;
      if (buffer.size > 0 && !isClosed) startStoring();
    });
  }

  return {
    tell(alert) {
      deps.log[LOG_LEVEL[alert.level]]({ alert }, `alert: ${alert.kind}`);
      const key = kindKey(alert) ?? `${alert.level} ${randomUUID()}`;
      const before = buffer.get(key);
      if (isClosed || (!before && buffer.size >= MAX_BUFFERED_KINDS)) return;
      buffer.set(key, { alert: cutToSize(alert), key, count: (before?.count ?? 0) + 1, at: deps.clock.now() });
      startStoring();
    },
    async close() {
      await Promise.race([storing, sleep(CLOSE_MS, undefined, { ref: false })]);
      isClosed = true;
    },
  };
}

/** Of several alerts together, the first is sent alone, at once. False if the database didn't accept them. */
async function tryToStore(deps: AlertsDeps, counted: repo.CountedAlert): Promise<boolean> {
  try {
    const isDue = await deps.db.transaction(async trx => {
      await lockNamed(trx, 'alert', counted.key);
      const isFirstDue = await insertOrJoin(trx, { ...counted, count: 1 });
      if (counted.count > 1) await insertOrJoin(trx, { ...counted, count: counted.count - 1 });
      return isFirstDue;
    });
    // On failure, the next minute's round sends the alert.
    if (isDue) await deps.queue.send(ALERT_QUEUE.name, {}).catch(err => deps.log.warn({ err }, 'alert not announced'));
    return true;
  } catch (err) {
    deps.log.warn({ err, kind: counted.alert.kind }, 'alert not stored');
    return false;
  }
}

/** True if the alert must be sent at once. */
async function insertOrJoin(trx: Db, counted: repo.CountedAlert): Promise<boolean> {
  for (;;) {
    const chosen = chooseDelivery(await repo.findNewest(trx, counted.key), counted.at);
    if (chosen.joins === undefined) {
      await repo.insertAlert(trx, counted, chosen);
      return !chosen.isRepeat;
    }
    if (await repo.joinAlert(trx, chosen.joins, counted)) return false;
  }
}

type DeliverDeps = Queued & {
  log: Log;
  /** Undefined where the operator configured none: then an alert stays in the log and on the status page. */
  alertBot: AlertBot | undefined;
};

/**
 * Sends due alerts one by one, oldest first. When the bot API asks to wait or doesn't answer, everything waits and
 * resumes automatically. A message that it accepted without confirming may arrive twice.
 */
export async function deliverAlerts(deps: DeliverDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const alert = await repo.findDueAlert(deps.db, deps.clock.now());
    if (!alert) return;
    const pause = await tryToSend(deps, alert);
    if (pause === undefined) continue;
    await repo.holdAlert(deps.db, alert.id, secondsAfter(deps.clock, pause));
    await deps.queue.send(ALERT_QUEUE.name, {}, { startAfter: pause });
    return;
  }
}

/** Seconds until the next try; undefined when the alert needs none. */
async function tryToSend({ db, clock, log, alertBot }: DeliverDeps, alert: StoredAlert): Promise<number | undefined> {
  const settle = (state: 'sent' | 'logged' | 'refused') =>
    repo.settleAlert(db, alert.id, { state, now: clock.now() }).then(() => undefined);
  if (!alertBot) return settle('logged');
  try {
    await alertBot.send(messageFor(alert));
    return await settle('sent');
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    log.warn({ err, alertId: alert.id, kind: alert.kind }, 'alert not sent');
    if (err.kind === 'permanent') return settle('refused');
    return Math.ceil(err.retryAfterSeconds ?? Math.min(300, 5 * 2 ** alert.tries));
  }
}

/** Repeats of a kind are gathered for this long after its last message. */
const QUIET_MS = 3_600_000;
const MAX_VALUE_LENGTH = 500;

/** The key that equal alerts share. Undefined for an alert that equals no other. */
export function kindKey({ level, source, kind }: Alert): string | undefined {
  return level === 'revenue' ? undefined : `${level} ${source} ${kind}`;
}

/** The alert as it is stored: small, whatever a caller hands in. */
export function cutToSize(alert: Alert): Alert {
  const about = Object.entries(alert.about).map(([name, value]) => [
    name,
    // JSON has no Infinity, and a value that can't be read back would block the line.
    Number.isFinite(value) ? value : String(value).slice(0, MAX_VALUE_LENGTH),
  ]);
  return { ...alert, about: Object.fromEntries(about) };
}

type AlertDelivery = { joins: string } | { joins: undefined; isRepeat: boolean; dueAt: Date };

/** Sends an alert at once, or adds it to the message that collects repeats for an hour. */
export function chooseDelivery(newest: StoredAlert | undefined, now: Date): AlertDelivery {
  if (!newest) return { joins: undefined, isRepeat: false, dueAt: now };
  if (newest.isRepeat && newest.state === 'waiting' && (newest.dueAt > now || newest.tries > 0)) return { joins: newest.id };
  const lastSent = Math.max(newest.dueAt.getTime(), newest.settledAt?.getTime() ?? 0);
  const quietUntil = new Date(lastSent + QUIET_MS);
  if (quietUntil > now) return { joins: undefined, isRepeat: true, dueAt: quietUntil };
  return { joins: undefined, isRepeat: false, dueAt: now };
}
