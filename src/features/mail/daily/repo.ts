import type { Db } from '../../../lib/db.ts';
import { DATED, DUE, MINE, OPEN_TODAY, UNMUTED } from '../../promises/fragments.ts';
import type { DayToCome } from './rules.ts';

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

/**
 * How many of the user's own promises, and how many appointments and deadlines that are not theirs alone, are due on a
 * day to come, outside muted conversations. Both days YYYY-MM-DD.
 */
export async function countDueOn(
  db: Db,
  { userId, today, day }: { userId: string; today: string; day: string },
): Promise<DayToCome> {
  const { rows } = await db.raw<{ rows: [DayToCome] }>(
    `
    select count(*) filter (where ${MINE})::int as promises, count(*) filter (where ${DATED})::int as dates from promises p
    where p.user_id = :userId and ${OPEN_TODAY} and p.words <> '' and ${DUE} = :day::date and ${UNMUTED}
    `,
    { userId, today, day },
  );
  return rows[0];
}
