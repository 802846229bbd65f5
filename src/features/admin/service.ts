import { type Clock, secondsBefore } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { countPayingUsers } from '../billing/repo.ts';
import * as repo from './repo.ts';
import type { AdminStatus, Snapshot } from './schema.ts';

const DAY = 24 * 3600;
const RECENT = 2 * 3600;
/** Three beats missed. */
const SILENT_AFTER = 180;
/** It has been replaced or is not wanted any more. */
export const GIVEN_UP_AFTER = 3600;
const OVERDUE_AFTER = 1800;
/** Those who are due are queued every minute. */
const UNQUEUED_AFTER = 600;
const SESSIONS_WITHIN = 3600;

type Deps = { db: Db; clock: Clock };

/** As section 4 of the interface specification has it. */
export async function getStatus({ db, clock }: Deps): Promise<AdminStatus> {
  const since = secondsBefore(clock, DAY);
  const { total } = await repo.countUsers(db, since);
  return {
    users: { total, paying: await countPayingUsers(db) },
    syncs_24h: await repo.countDigests(db, since),
    uptime: Math.floor(process.uptime()),
    timestamp: clock.now().toISOString(),
  };
}

/** Everything the heartbeat, the status page and the metrics look at. */
export async function takeSnapshot({ db, clock }: Deps): Promise<Snapshot> {
  const at = clock.now();
  const databaseMs = await measureDatabase(db);
  const { total, fresh } = await repo.countUsers(db, secondsBefore(clock, DAY));
  const recentSyncs = await repo.countSyncs(db, secondsBefore(clock, RECENT));
  const recentDigests = await repo.countDigests(db, secondsBefore(clock, RECENT));
  const { COMPLETE, SYNCING, FAILED } = recentDigests;
  const standingSyncs = await repo.countOverdueSyncs(db, { now: at, before: secondsBefore(clock, OVERDUE_AFTER) });
  const unqueuedSyncs = await repo.countUnqueuedUsers(db, secondsBefore(clock, UNQUEUED_AFTER));
  return {
    at,
    users: { total, paying: await countPayingUsers(db), newIn24h: fresh },
    digestsIn24h: await repo.countDigests(db, secondsBefore(clock, DAY)),
    recent: {
      syncs: recentSyncs.syncs,
      troubledSyncs: recentSyncs.troubled,
      digests: COMPLETE + SYNCING + FAILED,
      failedDigests: FAILED,
    },
    queue: await repo.measureQueue(db),
    overdueSyncs: standingSyncs + unqueuedSyncs,
    unqueuedSyncs,
    workers: await repo.countWorkers(db, {
      heardOfSince: secondsBefore(clock, SILENT_AFTER),
      givenUpBefore: secondsBefore(clock, GIVEN_UP_AFTER),
    }),
    sessionsLost: await repo.countLostSessions(db, secondsBefore(clock, SESSIONS_WITHIN)),
    databaseMs,
    lastHeartbeatAt: await repo.findLastHeartbeat(db),
  };
}

/** Milliseconds for the simplest question; the middle one of three, since one may have had to connect. */
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
