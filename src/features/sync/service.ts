import { setTimeout as sleep } from 'node:timers/promises';
import { fromKnex } from 'pg-boss';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Queue } from '../../lib/queue.ts';
import * as repo from './repo.ts';
import { manualJobId } from './rules.ts';
import { SYNC_QUEUE, type SyncJob, type SyncPayload } from './schema.ts';

type Deps = { db: Db; queue: Queue; clock: Clock };

/** A job that just ended leaves the queue a moment later than it leaves our table. */
const ASK_AGAIN_MS = 100;
const ASK_AGAIN_TIMES = 50;

/**
 * Queues a sync now. While one of the user's waits or runs, that one's id is the answer, so that a double click,
 * two tabs or two processes start one sync.
 */
export async function triggerSync(deps: Deps, { userId }: { userId: string }): Promise<{ jobId: string }> {
  for (let asked = 0; asked < ASK_AGAIN_TIMES; asked++) {
    try {
      return { jobId: await deps.db.transaction(trx => openOrEnqueue(deps, trx, userId)) };
    } catch (err) {
      if (!(err instanceof QueueStillHolds)) throw err;
      await sleep(ASK_AGAIN_MS);
    }
  }
  throw new QueueStillHolds();
}

/** The queue has not let go of the user's last sync yet. */
class QueueStillHolds extends Error {}

/** Counter, job and queue entry come into being together or not at all. */
async function openOrEnqueue(deps: Deps, trx: Db, userId: string): Promise<string> {
  await repo.lockUserSyncs(trx, userId);
  const open = await repo.findOpenJob(trx, userId);
  if (open) return open.id;
  const jobId = manualJobId(userId, await repo.nextManualNumber(trx, userId));
  const payload: SyncPayload = { userId, jobId };
  const queueId = await deps.queue.send(SYNC_QUEUE.name, payload, { singletonKey: userId, db: fromKnex(trx) });
  if (!queueId) throw new QueueStillHolds();
  await repo.insertJob(trx, { id: jobId, userId, queueId, kind: 'manual', now: deps.clock.now() });
  return jobId;
}

/** Undefined for an unknown job and for somebody else's. */
export async function findSync(
  deps: { db: Db },
  { userId, jobId }: { userId: string; jobId: string },
): Promise<SyncJob | undefined> {
  return repo.findJob(deps.db, { userId, jobId });
}

export async function latestJob(deps: { db: Db }, { userId }: { userId: string }): Promise<SyncJob | undefined> {
  return repo.findLatestJob(deps.db, userId);
}
