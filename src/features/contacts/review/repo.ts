import type { Db } from '../../../lib/db.ts';
import { PROBLEM } from '../matching/repo.ts';
import { type ReviewCandidate, reviewCandidateRow } from './schema.ts';

/** The same as a query, for use in a larger statement. */
export function selectReviewCandidates(db: Db, userId: string) {
  return db('dialogs')
    .leftJoin('crm_connections', 'crm_connections.user_id', 'dialogs.user_id')
    .leftJoin('sync_configs', 'sync_configs.user_id', 'dialogs.user_id')
    .where({ 'dialogs.user_id': userId })
    .where(either =>
      either
        .where('namesakes', '>', 1)
        .orWhere(linked =>
          linked
            .whereNot('dialogs.crm_contact_id', '')
            .where(open => open.whereLike('dialogs.match_status', 'AUTO%').orWhereNotNull('match_trouble')),
        ),
    )
    .select(
      ...['dialogs.id', 'peer_type', 'unreadable', 'tracking_choice'],
      ...['match_status', 'match_confidence', 'crm_contact_id', db.raw(`${PROBLEM} as problem`)],
      ...['sure_matches_write', 'name_matches_write', 'include_groups'],
    );
}

/** Conversations that may wait for a person, matched by a rule or with a problem, and what decides that. */
export async function listReviewCandidates(db: Db, userId: string): Promise<ReviewCandidate[]> {
  const rows = await selectReviewCandidates(db, userId);
  return rows.map(row => reviewCandidateRow.parse(row));
}
