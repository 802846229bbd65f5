import { type Clock, secondsBefore } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { countPayingOfAllUsers } from '../../billing/repo.ts';
import * as repo from './repo.ts';
import type { AdminStatus, Snapshot } from './schema.ts';

const DAY = 24 * 3600;
const RECENT = 2 * 3600;
/** Three beats missed. */
const SILENT_AFTER = 180;
/** By then the worker has been replaced or is no longer wanted. */
export const GIVEN_UP_AFTER = 3600;
const OVERDUE_AFTER = 1800;
/** Users who are due are queued every minute. */
const UNQUEUED_AFTER = 600;
const SESSIONS_WITHIN = 3600;

type Deps = { db: Db; clock: Clock };

/** As section 4 of the interface specification defines it. */
export async function getStatus({ db, clock }: Deps): Promise<AdminStatus> {
  const since = secondsBefore(clock, DAY);
  const [{ total }, paying, digests] = await Promise.all([
    repo.countOfAllUsers(db, { since, now: clock.now() }),
    countPayingOfAllUsers(db),
    repo.countDigestsOfAllUsers(db, { since }),
  ]);
  return {
    users: { total, paying },
    syncs_24h: digests.all,
    uptime: Math.floor(process.uptime()),
    timestamp: clock.now().toISOString(),
  };
}

/** Everything the heartbeat, the status page and the metrics look at. */
export async function takeSnapshot({ db, clock }: Deps): Promise<Snapshot> {
  const at = clock.now();
  // Measured first: the other queries would slow it down.
  const databaseMs = await measureDatabase(db);
  const ago = (seconds: number) => secondsBefore(clock, seconds);
  const [users, paying, syncs, digests, standing, { lastHeartbeatAt, ...queue }, workers, sessionsLost] =
    await Promise.all([
      repo.countOfAllUsers(db, { since: ago(DAY), now: at }),
      countPayingOfAllUsers(db),
      repo.countSyncsOfAllUsers(db, ago(RECENT)),
      repo.countDigestsOfAllUsers(db, { since: ago(DAY), recentSince: ago(RECENT) }),
      repo.countOverdueOfAllUsers(db, { now: at, before: ago(OVERDUE_AFTER), dueBefore: ago(UNQUEUED_AFTER) }),
      repo.measureQueue(db),
      repo.countWorkers(db, { heardOfSince: ago(SILENT_AFTER), givenUpBefore: ago(GIVEN_UP_AFTER) }),
      repo.countLostSessionsOfAllUsers(db, ago(SESSIONS_WITHIN)),
    ]);
  const { COMPLETE, SYNCING, FAILED } = digests.recent;
  return {
    at,
    users: { total: users.total, paying, newIn24h: users.fresh },
    digestsIn24h: digests.all,
    recent: {
      syncs: syncs.syncs,
      incompleteSyncs: syncs.incomplete,
      users: syncs.users,
      failingUsers: syncs.failingUsers,
      digests: COMPLETE + SYNCING + FAILED,
      failedDigests: FAILED,
    },
    queue,
    overdueSyncs: standing.overdue + standing.unqueued,
    unqueuedSyncs: standing.unqueued,
    workers,
    sessionsLost,
    apps: { tokens: users.tokens, assistants: users.assistants, feeds: users.feeds },
    databaseMs,
    lastHeartbeatAt,
  };
}

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
