import { type Db, isUuid, toStorableJson, type UserKey } from '../../lib/db.ts';
import { sql } from '../../lib/sql.ts';
import { PROBLEM } from './matching/repo.ts';
import { type Decision, type DecisionKind, decisionRow, type Snapshot } from './matching/schema.ts';
import { type ReviewCandidate, reviewCandidateRow } from './schema.ts';

/** All statements on what people decided about matches, and on the contacts they rejected. */

type NewDecision = {
  dialogId: string;
  /** The state that Undo restores. */
  before: Snapshot;
  rejectedIds: readonly string[];
  /** The contact accepted, and so no longer rejected; '' for none. */
  acceptedId: string;
};
type DecidedAt = { userId: string; now: Date };

/** Stores decisions in one statement. Returns their ids by conversation, for undoing them. */
export async function insertDecisions(
  db: Db,
  { userId, action, batchId, now }: DecidedAt & { action: DecisionKind; batchId: string | null },
  decisions: readonly NewDecision[],
): Promise<Map<string, string>> {
  if (decisions.length === 0) return new Map();
  const rows = await sql`
    with m as materialized (
      select * from jsonb_to_recordset(${toStorableJson(decisions)}::jsonb) as m ("dialogId" uuid, before jsonb, "rejectedIds" text[],
        "acceptedId" text)
    ), rejected as (
      insert into rejected_matches (dialog_id, crm_contact_id, user_id, rejected_at)
      select "dialogId", unnest("rejectedIds"), ${userId}, ${now} from m on conflict do nothing
    ), accepted as (
      delete from rejected_matches r using m
      where r.user_id = ${userId} and r.dialog_id = m."dialogId" and r.crm_contact_id = coalesce(case when ${action} = 'stopIgnoring' then (
        select d.before ->> 'contactId' from match_decisions d where d.user_id = r.user_id and d.dialog_id = r.dialog_id
          and d.action = 'ignore' and d.undone_at is null order by d.number desc limit 1) end, m."acceptedId")
    )
    insert into match_decisions (user_id, dialog_id, action, batch_id, before, decided_at)
    select ${userId}, "dialogId", ${action}, ${batchId}, before, ${now} from m
    returning id, dialog_id
  `.rows<{ id: string; dialog_id: string }>(db);
  return new Map(rows.map(row => [row.dialog_id, row.id]));
}

type Undoing = {
  decisionId: string;
  dialogId: string;
  /** All contacts rejected from now on, old and new. */
  rejectedIds: readonly string[];
};

/** Restores the previously rejected contacts and marks the decisions undone, in one statement. */
export async function undoDecisions(db: Db, { userId, now }: DecidedAt, undoings: readonly Undoing[]): Promise<void> {
  if (undoings.length === 0) return;
  await sql`
    with m as materialized (
      select * from jsonb_to_recordset(${toStorableJson(undoings)}::jsonb) as m ("dialogId" uuid, "decisionId" uuid, "rejectedIds" text[])
    ), accepted as (
      delete from rejected_matches r using m
      where r.user_id = ${userId} and r.dialog_id = m."dialogId" and r.crm_contact_id <> all (m."rejectedIds")
    ), rejected as (
      insert into rejected_matches (dialog_id, crm_contact_id, user_id, rejected_at)
      select "dialogId", unnest("rejectedIds"), ${userId}, ${now} from m on conflict do nothing
    )
    update match_decisions set undone_at = ${now} from m
    where match_decisions.user_id = ${userId} and match_decisions.id = m."decisionId"
  `.rows(db);
}

/** A decision, and whether nothing newer was decided about its conversation. */
type ListedDecision = Decision & { isNewest: boolean };

/** Finds a decision by its id, or a batch by the batch's. Empty for unknown tokens and other users'. */
export async function listDecisions(db: Db, { userId, token }: UserKey & { token: string }): Promise<ListedDecision[]> {
  if (!isUuid(token)) return [];
  const { rows } = await db.raw<{ rows: { is_newest: boolean }[] }>(
    `
    select d.*, not exists (select from match_decisions newer
      where newer.dialog_id = d.dialog_id and newer.number > d.number) as is_newest
    from match_decisions d where d.user_id = :userId and (d.id = :token or d.batch_id = :token)
    order by d.dialog_id
    `,
    { userId, token },
  );
  return rows.map(row => ({ ...decisionRow.parse(row), isNewest: row.is_newest }));
}

/** Ids of the newest decision on each conversation, by conversation, if it can be undone and is an `action`, or any. */
export async function listUndoable(
  db: Db,
  { userId, dialogIds, action }: { userId: string; dialogIds: readonly string[]; action?: DecisionKind },
): Promise<Map<string, string>> {
  if (dialogIds.length === 0) return new Map();
  const rows = await db('match_decisions')
    .where({ user_id: userId })
    .whereIn('dialog_id', dialogIds)
    .distinctOn('dialog_id')
    .orderBy([{ column: 'dialog_id' }, { column: 'number', order: 'desc' }])
    .select<{ id: string; dialog_id: string; action: string; undone_at: Date | null }[]>();
  const undoable = rows.filter(row => !row.undone_at && (!action || row.action === action));
  return new Map(undoable.map(({ id, dialog_id }) => [dialog_id, id]));
}

/** Deletes all decisions and rejections of the user, whose CRM account was replaced. */
export async function deleteDecisions(db: Db, userId: string): Promise<void> {
  await db('rejected_matches').where({ user_id: userId }).delete();
  await db('match_decisions').where({ user_id: userId }).delete();
}

/** Review candidates as a query, for use in a larger statement. */
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
            .where(open => open.whereLike('dialogs.match_status', 'AUTO%').orWhereNotNull('match_problem')),
        ),
    )
    .select(
      db.raw(`dialogs.id, peer_type, unreadable, tracking_choice, match_status, match_confidence, crm_contact_id,
        ${PROBLEM} as problem, sure_matches_write, name_matches_write, include_groups`),
    );
}

/** Conversations that may wait for a person, matched by a rule or with a problem, and what decides that. */
export async function listReviewCandidates(db: Db, userId: string): Promise<ReviewCandidate[]> {
  return (await selectReviewCandidates(db, userId)).map(row => reviewCandidateRow.parse(row));
}
