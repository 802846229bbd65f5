import type { Db } from '../../lib/db.ts';

/** Ends what waits or runs, whoever works on it. Returns the queue's own ids of those. */
export async function endOpenJobs(trx: Db, userId: string, now: Date): Promise<string[]> {
  const ended = await trx('sync_jobs')
    .where({ user_id: userId })
    .whereIn('state', ['waiting', 'active'])
    .update({ state: 'failed', waits_until: null, finished_at: now })
    .returning<{ queue_id: string }[]>('queue_id');
  return ended.map(row => row.queue_id);
}
