import type { Db } from '../../../lib/db.ts';
import { selectReviewCandidates } from '../../contacts/review/repo.ts';
import { type ReviewCandidate, reviewCandidateRow } from '../../contacts/review/schema.ts';
import { DATED, DUE, LATE, MINE, OPEN_TODAY, UNMUTED, URGENT } from '../../promises/fragments.ts';

type Counted = { due: number; open: number; candidates: ReviewCandidate[] };

/** Counting stops here: the cost of what every page counts must not grow with what is open. */
const MOST_COUNTED = 1000;

const counted = (rest: string) => `(select count(*) from (select from ${rest} limit ${MOST_COUNTED}) as counted)::int`;
const OPEN = `p.user_id = :userId and p.words <> '' and ${OPEN_TODAY}`;

/**
 * Counts the user's own open promises, as the page of promises opens with them, and those on Today, and finds the matches that may have to be
 * reviewed. Every page runs this, and planning it takes longer than reading: each connection prepares it once, by name.
 */
export async function countForNavigation(db: Db, { userId, now }: { userId: string; now: Date }): Promise<Counted> {
  const promises = db.raw(
    `
    select ${counted(`promises p where ${OPEN} and ${MINE} and ${LATE} and ${UNMUTED}`)}
        + ${counted(`promises p where ${OPEN} and ${MINE} and ${DUE} = :today::date and ${UNMUTED}`)}
        + ${counted(`promises p where ${OPEN} and ${DATED} and ${DUE} = :today::date and ${UNMUTED}`)}
        + ${counted(`promises p where ${OPEN} and ${MINE} and ${URGENT} and ${UNMUTED}`)} as due,
      ${counted(`promises p where ${OPEN} and ${MINE}`)} as open
    `.replaceAll(':today::date', TODAY),
    { userId, now },
  );
  const candidates = selectReviewCandidates(db, userId);
  const [row] = await db
    .select('due', 'open')
    .select(db.raw(`coalesce((select jsonb_agg(to_jsonb(c)) from (?) c), '[]') as candidates`, [candidates]))
    .from(db.raw('(?) promises', [promises]))
    .options({ name: 'navigation' });
  return { ...row, candidates: row.candidates.map(reviewCandidateRow.parse) };
}

/** The user's present day. */
const TODAY = `(:now::timestamptz at time zone
  coalesce((select timezone from sync_configs where user_id = :userId), 'UTC'))::date`;
