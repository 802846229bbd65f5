import type { Db } from '../../../lib/db.ts';

/** How many conversations of a sync a model is still to write; 0 where it waits for none. */
export async function countAwaited(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<number> {
  const [row] = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .where(open => open.whereIn('status', ['PENDING', 'SUMMARIZING']).orWhere({ is_excerpt: true }))
    .select(
      db.raw(`count(*)::int as count, coalesce(bool_or(is_excerpt or status = 'SUMMARIZING'), false) as by_model`),
    );
  return row.by_model ? row.count : 0;
}
