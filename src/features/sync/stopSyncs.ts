import { fromKnex } from 'pg-boss';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Queue } from '../../lib/queue.ts';
import { endOpenJobs, lockUserSyncs } from './repo.ts';
import { SYNC_QUEUE } from './schema.ts';

/**
 * Ends the user's sync, waiting or running. A worker in the middle of it notices within a few seconds, or sooner if
 * the account it reads from is disconnected. No alert is sent.
 */
export async function stopSyncs(
  deps: { db: Db; queue: Queue; clock: Clock },
  { userId }: { userId: string },
): Promise<void> {
  await deps.db.transaction(async trx => {
    await lockUserSyncs(trx, userId);
    const queueIds = await endOpenJobs(trx, userId, deps.clock.now());
    if (queueIds.length > 0) await deps.queue.cancel(SYNC_QUEUE.name, queueIds, { db: fromKnex(trx) });
  });
}
