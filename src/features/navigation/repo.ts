import type { Db } from '../../lib/db.ts';
import { OPEN_TODAY } from '../promises/repo.ts';
import { selectReviewCandidates } from '../review/repo.ts';
import { type ReviewCandidate, reviewCandidateRow } from '../review/schema.ts';

type Counted = { due: number; open: number; candidates: ReviewCandidate[] };

/** Open promises of both sides, those of the user that are due or overdue, and which matches may have to be reviewed. */
export async function countForNavigation(db: Db, { userId, now }: { userId: string; now: Date }): Promise<Counted> {
  const promises = db.raw(
    `
    select (count(*) filter (where p.direction = 'mine' and p.due_date <= :today::date))::int as due,
      count(*)::int as open
    from promises p
    where p.user_id = :userId and p.words <> '' and p.direction <> 'unassigned' and ${OPEN_TODAY}
    `.replaceAll(':today::date', TODAY),
    { userId, now },
  );
  const candidates = selectReviewCandidates(db, userId);
  const [row] = await db
    .select('due', 'open')
    .select(db.raw(`coalesce((select jsonb_agg(to_jsonb(c)) from (?) c), '[]') as candidates`, [candidates]))
    .from(db.raw('(?) promises', [promises]));
  return { ...row, candidates: row.candidates.map(reviewCandidateRow.parse) };
}

/** The user's present day. */
const TODAY = `(:now::timestamptz at time zone
  coalesce((select timezone from sync_configs where user_id = :userId), 'UTC'))::date`;
