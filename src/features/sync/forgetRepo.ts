import { type Db, deleteFound } from '../../lib/db.ts';

/** Of all users: jobs that ended before then. What they wrote stays. @returns how many */
export async function deleteJobsBefore(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const old = db.queryBuilder().where('finished_at', '<', before).orderBy('finished_at').limit(limit);
  return deleteFound(db, 'sync_jobs', ['id'], old);
}
