import type { Db } from '../../../lib/db.ts';
import { MINE } from '../../promises/agenda/fragments.ts';
import { DUE, OPEN_TODAY } from '../../promises/fragments.ts';

/** How many conversations of a sync a model is still to write; 0 where it waits for none. */
export async function countAwaited(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<number> {
  const [row] = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereIn('status', ['PENDING', 'SUMMARIZING'])
    .select(
      db.raw(`count(*)::int as count, coalesce(bool_or(is_excerpt or status = 'SUMMARIZING'), false) as by_model`),
    );
  return row.by_model ? row.count : 0;
}

/** How many of the user's own promises are due on a day to come, outside muted conversations. Both days YYYY-MM-DD. */
export async function countDueOn(
  db: Db,
  { userId, today, day }: { userId: string; today: string; day: string },
): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ count: number }] }>(
    `
    select count(*)::int as count from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and ${OPEN_TODAY} and p.words <> '' and ${MINE} and ${DUE} = :day::date and not dialogs.is_muted
    `,
    { userId, today, day },
  );
  return rows[0].count;
}
