import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseClock } from '../../../lib/databaseClock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queue } from '../../../lib/queue.ts';
import { type Alerts, notify } from '../../base/alerts/service.ts';

/** A process whose own clock is further from the database's begins nothing: one of the two is wrong. */
const APART_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const ASK_EVERY_MS = 10_000;

type Deps = { db: Db; clock: DatabaseClock; queue: Queue; alerts: Alerts; log: Log };

/**
 * Compares this process's clock with the database's for as long as the process lives. While the two are apart, the operator
 * knows and the queue gives out no jobs here, except those that watch the service. Returns when it has looked for the
 * first time, with a function that ends it.
 */
export async function watchClock(deps: Deps, { process }: { process: string }): Promise<() => void> {
  const over = new AbortController();
  let askedAt = Number.NEGATIVE_INFINITY;
  let wasApart = false;
  let wrongAt: number | undefined;

  const ahead = () => Date.now() - deps.clock.now().getTime();
  const isApart = () => Math.abs(ahead()) > APART_MS;

  async function look(): Promise<void> {
    if (isApart() === wasApart && performance.now() - askedAt < ASK_EVERY_MS) return;
    askedAt = performance.now();
    await deps.clock.refresh();
    wasApart = isApart();
    await tell(wasApart);
  }

  async function tell(isWrong: boolean): Promise<void> {
    if (isWrong === (wrongAt !== undefined)) return;
    const since = wrongAt ?? performance.now();
    wrongAt = isWrong ? since : undefined;
    if (isWrong) {
      await deps.queue.stopTaking();
      const about = { process, secondsAhead: Math.round(ahead() / 1000) };
      return notify(deps, { level: 'error', source: 'heartbeat', kind: 'CLOCK_WRONG', about });
    }
    await deps.queue.takeAgain();
    const lastedMinutes = Math.round((performance.now() - since) / 60_000);
    notify(deps, { level: 'info', source: 'heartbeat', kind: 'CLOCK_WRONG_OVER', about: { process, lastedMinutes } });
  }

  async function keepLooking(): Promise<void> {
    while (!over.signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await look().catch(err => deps.log.warn({ err }, 'clock not compared'));
    }
  }

  await look();
  void keepLooking();
  return () => over.abort();
}
