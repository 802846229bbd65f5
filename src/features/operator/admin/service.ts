import { secondsBefore, type Timed } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { countPayingOfAllUsers } from '../../billing/repo.ts';
import * as repo from './repo.ts';
import type { AdminStatus, Problem, Reported } from './schema.ts';

const DAY_SECONDS = 24 * 3600;
const RECENT_SECONDS = 2 * 3600;
/** Three missed heartbeats. */
const SILENT_AFTER_SECONDS = 180;
/** After this time without a sign, a worker was replaced or stopped for good. */
export const GIVEN_UP_AFTER_SECONDS = 3600;
const OVERDUE_AFTER_SECONDS = 1800;
/** Users who are due are queued every minute. */
const UNQUEUED_AFTER_SECONDS = 600;
const SESSIONS_WITHIN = 3600;

export async function getStatus(deps: Timed): Promise<AdminStatus> {
  const { at, users, digestsIn24h } = await takeSnapshot(deps);
  const { total, paying } = users;
  const uptime = Math.floor(process.uptime());
  return { users: { total, paying }, syncs_24h: digestsIn24h, uptime, timestamp: at.toISOString() };
}

/** How the service is doing, counted at one moment over all users: for the heartbeat, the status page and the metrics. */
export async function takeSnapshot({ db, clock }: Timed) {
  const at = clock.now();
  // Measured first: the other queries would slow it down.
  const databaseMs = await measureDatabase(db);
  const ago = (seconds: number) => secondsBefore(clock, seconds);
  const [users, paying, syncs, digests, lateSyncs, { lastHeartbeatAt, ...queue }, workers, sessionsLost] = await Promise.all(
    [
      repo.countOfAllUsers(db, { since: ago(DAY_SECONDS), now: at }),
      countPayingOfAllUsers(db),
      repo.countSyncsOfAllUsers(db, ago(RECENT_SECONDS)),
      repo.countDigestsOfAllUsers(db, { since: ago(DAY_SECONDS), recentSince: ago(RECENT_SECONDS) }),
      repo.countOverdueOfAllUsers(db, {
        now: at,
        before: ago(OVERDUE_AFTER_SECONDS),
        dueBefore: ago(UNQUEUED_AFTER_SECONDS),
      }),
      repo.measureQueue(db),
      repo.countWorkers(db, { heardOfSince: ago(SILENT_AFTER_SECONDS), givenUpBefore: ago(GIVEN_UP_AFTER_SECONDS) }),
      repo.countLostSessionsOfAllUsers(db, ago(SESSIONS_WITHIN)),
    ],
  );
  const { COMPLETE, SYNCING, FAILED } = digests.recent;
  return {
    at,
    users: { total: users.total, paying, newIn24h: users.fresh },
    digestsIn24h: digests.all,
    /** The last two hours. `failingUsers`: those of `users` whose newest sync is incomplete. */
    recent: { ...syncs, digests: COMPLETE + SYNCING + FAILED, failedDigests: FAILED },
    queue,
    /** Syncs that waited too long, are active without progress, or aren't even queued. */
    overdueSyncs: lateSyncs.overdue + lateSyncs.unqueued,
    /** Overdue syncs that no worker has queued. */
    unqueuedSyncs: lateSyncs.unqueued,
    workers,
    /** Telegram accounts that were signed out within the last hour. */
    sessionsLost,
    /** Valid tokens (`assistants` are among them) and calendar feeds. */
    apps: { tokens: users.tokens, assistants: users.assistants, feeds: users.feeds },
    databaseMs,
    lastHeartbeatAt,
  };
}

export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

/** Milliseconds for the simplest query: the median of three, since one may have had to connect. */
async function measureDatabase(db: Db): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const began = performance.now();
    await repo.ping(db);
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  return Math.round((took[1] ?? 0) * 10) / 10;
}

/** Below these counts, a share of failures says nothing. */
const MIN_USERS = 5;
const MIN_DIGESTS = 20;
const FAILING_USER_SHARE = 0.3;
const CRITICAL_FAILING_USER_SHARE = 0.6;
const FAILED_DIGEST_SHARE = 0.1;
const LONG_WAIT_SECONDS = 600;
const MANY_WAITING = 5000;
/** Each session raises its own alert; this many in an hour indicate a common cause. */
const MANY_SESSIONS = 3;
const SLOW_DATABASE_MS = 500;
/** A little less than an hour, since the rounds drift by seconds. */
const REMIND_AFTER_MS = 59 * 60_000;

/** The problems in a snapshot, the worst first. Empty when the service is healthy. */
export function findProblems(snapshot: Snapshot): Problem[] {
  const { recent, queue, workers, overdueSyncs, unqueuedSyncs, sessionsLost, databaseMs } = snapshot;
  const problems: (Problem | false)[] = [
    workers.alive === 0 && { kind: 'NO_WORKER', level: 'error', about: { silent: workers.silent } },
    overdueSyncs > 0 && { kind: 'SYNCS_OVERDUE', level: 'error', about: { syncs: overdueSyncs, notQueued: unqueuedSyncs } },
    failingSyncs(recent),
    recent.digests >= MIN_DIGESTS &&
      recent.failedDigests / recent.digests >= FAILED_DIGEST_SHARE && {
        kind: 'DIGESTS_FAILING',
        level: 'warn',
        about: { failed: recent.failedDigests, of: recent.digests },
      },
    (queue.oldestWaitingSeconds > LONG_WAIT_SECONDS || queue.waiting > MANY_WAITING) && {
      kind: 'QUEUE_BACKING_UP',
      level: 'warn',
      about: { waiting: queue.waiting, oldestWaitingSeconds: queue.oldestWaitingSeconds },
    },
    workers.alive > 0 &&
      workers.silent > 0 && {
        kind: 'WORKER_SILENT',
        level: 'warn',
        about: { silent: workers.silent, alive: workers.alive },
      },
    sessionsLost >= MANY_SESSIONS && { kind: 'SESSIONS_EXPIRED', level: 'warn', about: { accounts: sessionsLost } },
    databaseMs > SLOW_DATABASE_MS && { kind: 'DATABASE_SLOW', level: 'warn', about: { milliseconds: databaseMs } },
  ];
  return problems.filter(problem => problem !== false);
}

/** The problem that many users' syncs fail, or false. Counts users, as one may try again and again. */
function failingSyncs({ users, failingUsers }: Snapshot['recent']): Problem | false {
  if (users < MIN_USERS || failingUsers / users < FAILING_USER_SHARE) return false;
  const level = failingUsers / users >= CRITICAL_FAILING_USER_SHARE ? 'error' : 'warn';
  return { kind: 'SYNCS_FAILING', level, about: { users: failingUsers, of: users } };
}

type Changes = { started: Problem[]; ongoing: { problem: Problem; before: Reported }[]; resolved: Reported[] };

/** Problems to report to the operator: new, ongoing for another hour, and solved. */
export function findChanges(problems: Problem[], reported: Reported[], now: Date): Changes {
  const reportedByKind = new Map(reported.map(one => [one.kind, one]));
  const foundKinds = new Set<string>(problems.map(({ kind }) => kind));
  return {
    started: problems.filter(({ kind }) => !reportedByKind.has(kind)),
    ongoing: problems.flatMap(problem => {
      const earlierReport = reportedByKind.get(problem.kind);
      const isLongAgo = earlierReport && now.getTime() - earlierReport.notifiedAt.getTime() >= REMIND_AFTER_MS;
      return isLongAgo ? [{ problem, before: earlierReport }] : [];
    }),
    resolved: reported.filter(({ kind }) => !foundKinds.has(kind)),
  };
}
