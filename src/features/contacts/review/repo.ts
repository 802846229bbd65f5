import type { Db } from '../../../lib/db.ts';
import { selectReviewCandidates } from './fragments.ts';
import { type ReviewCandidate, reviewCandidateRow } from './schema.ts';

/** Conversations that may wait for a person, matched by a rule or with a problem, and what decides that. */
export async function listReviewCandidates(db: Db, userId: string): Promise<ReviewCandidate[]> {
  const rows = await selectReviewCandidates(db, userId);
  return rows.map(row => reviewCandidateRow.parse(row));
}
