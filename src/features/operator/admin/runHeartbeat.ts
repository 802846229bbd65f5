import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseClock, secondsBefore, type Timed } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queue } from '../../../lib/queue.ts';
import { countAlertsSince } from '../../base/alerts/repo.ts';
import type { Alert } from '../../base/alerts/schema.ts';
import { type Alerts, notify } from '../../base/alerts/service.ts';
import * as repo from './repo.ts';
import { findChanges, findProblems, GIVEN_UP_AFTER_SECONDS, takeSnapshot } from './service.ts';

type Deps = Timed & { alerts: Alerts };

const DAY_SECONDS = 24 * 3600;

/**
 * Reports a problem when it starts, every hour while it lasts, and when it is over. Silent while all is well. When
 * several processes find the same problem, the one that records it reports it.
 */
export async function runHeartbeat(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const problems = findProblems(await takeSnapshot(deps));
  const { started, ongoing, resolved } = findChanges(problems, await repo.listReportedProblems(db), now);
  for (const problem of started) {
    if (await repo.addReported(db, { kind: problem.kind, now })) reportProblem(deps, problem);
  }
  for (const { problem, before } of ongoing) {
    const since = before.since.toISOString();
    if (await repo.updateReported(db, before, now)) reportProblem(deps, { ...problem, about: { ...problem.about, since } });
  }
  for (const reported of resolved) {
    if (!(await repo.deleteReported(db, reported))) continue;
    const lastedMinutes = Math.round((now.getTime() - reported.since.getTime()) / 60_000);
    reportProblem(deps, { level: 'info', kind: `${reported.kind}_OVER`, about: { lastedMinutes } });
  }
  await repo.deleteSilentWorkers(db, secondsBefore(clock, 2 * GIVEN_UP_AFTER_SECONDS));
}

function reportProblem(deps: Deps, { kind, level, about }: Pick<Alert, 'kind' | 'level' | 'about'>): void {
  notify(deps, { level, source: 'heartbeat', kind, about });
}

/** Sends the last 24 hours in numbers, whether or not anything is wrong. */
export async function sendDailySummary(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const since = secondsBefore(clock, DAY_SECONDS);
  const { users, digestsIn24h } = await takeSnapshot(deps);
  const { syncs, failed, incompleteSyncs } = await repo.countSyncsOfAllUsers(db, since);
  const alerts = await countAlertsSince(db, since);
  const about = {
    users: users.total,
    newUsers: users.newIn24h,
    payingUsers: users.paying,
    syncs,
    syncsFailed: failed,
    syncsInPart: incompleteSyncs - failed,
    ...Object.fromEntries(Object.entries(digestsIn24h).map(([status, number]) => [`digests ${status}`, number])),
    notes: await repo.countNotesOfAllUsers(db, since),
    errors: alerts.error ?? 0,
    warnings: alerts.warn ?? 0,
  };
  notify(deps, { level: 'info', source: 'heartbeat', kind: 'DAILY_SUMMARY', about });
}

const HEARTBEAT_MS = 60_000;

/** Records every minute that this worker lives. Returns a function that stops this and deletes the worker's row. */
export async function startWorkerHeartbeat({ db, clock, log }: Timed & { log: Log }): Promise<() => Promise<void>> {
  const id = randomUUID();
  const startedAt = clock.now();
  const record = () => repo.recordHeartbeat(db, { id, startedAt, now: clock.now() });
  await record();
  const timer = setInterval(() => {
    record().catch(err => log.warn({ err }, 'worker heartbeat failed'));
  }, HEARTBEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await repo.deleteWorker(db, id).catch(err => log.warn({ err }, 'worker not signed off'));
  };
}

/** The process then exits, whether or not the alert was sent. */
const PATIENCE_MS = 2_000;

/** Logs an uncaught error and alerts the operator, as far as that is possible in two seconds. Never fails. */
export async function reportCrash(deps: { log: Log; alerts: Alerts }, err: unknown, about: { process: string }) {
  deps.log.fatal({ err }, 'uncaught error: the process exits');
  notify(deps, { level: 'error', source: 'heartbeat', kind: 'PROCESS_CRASHED', about });
  await Promise.race([deps.alerts.close(), sleep(PATIENCE_MS)]);
}

/** A process whose own clock is further from the database's begins nothing: one of the two is wrong. */
const MAX_CLOCK_SKEW_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const ASK_EVERY_MS = 10_000;

type WatchDeps = { db: Db; clock: DatabaseClock; queue: Queue; alerts: Alerts; log: Log };

/**
 * Compares this process's clock with the database's for as long as the process lives. While the two are apart, the operator
 * knows and the queue gives out no jobs here, except those that watch the service. Returns when it has looked for the
 * first time, with a function that ends it.
 */
export async function watchClock(deps: WatchDeps, { process }: { process: string }): Promise<() => void> {
  const stopped = new AbortController();
  let askedAt = Number.NEGATIVE_INFINITY;
  let wrongSince: number | undefined;

  const ahead = () => Date.now() - deps.clock.now().getTime();
  const isApart = () => Math.abs(ahead()) > MAX_CLOCK_SKEW_MS;
  const hasChanged = () => isApart() !== (wrongSince !== undefined);

  async function look(): Promise<void> {
    if (!hasChanged() && performance.now() - askedAt < ASK_EVERY_MS) return;
    askedAt = performance.now();
    await deps.clock.refresh();
    if (!hasChanged()) return;
    if (wrongSince === undefined) {
      wrongSince = performance.now();
      await deps.queue.stopTaking();
      const about = { process, secondsAhead: Math.round(ahead() / 1000) };
      return notify(deps, { level: 'error', source: 'heartbeat', kind: 'CLOCK_WRONG', about });
    }
    const lastedMinutes = Math.round((performance.now() - wrongSince) / 60_000);
    wrongSince = undefined;
    await deps.queue.resumeTaking();
    notify(deps, { level: 'info', source: 'heartbeat', kind: 'CLOCK_WRONG_OVER', about: { process, lastedMinutes } });
  }

  async function keepLooking(): Promise<void> {
    while (!stopped.signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) await look().catch(err => deps.log.warn({ err }, 'clock not compared'));
    }
  }

  await look();
  void keepLooking();
  return () => stopped.abort();
}
