import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { CRM_CONNECTED_QUEUE } from '../crm/schema.ts';
import { type Dialog, dialogRow } from '../dialogs/schema.ts';
import { type ReviewCandidate, reviewCandidateRow } from './reviewSchema.ts';
import {
  type Decision,
  decisionRow,
  type LinkedDialog,
  linkedDialogRow,
  type MatchReasons,
  type MatchState,
  type MatchTrouble,
  matchStateRow,
} from './schema.ts';

type Rows = { rows: unknown[] };

const STATE_COLUMNS = `
  dialogs.id as dialog_id, dialogs.match_status, dialogs.match_confidence, dialogs.crm_contact_id,
    dialogs.crm_contact_name, m.rule, coalesce(m.decided_by, 'rule') as decided_by,
    coalesce(m.evidence, '[]') as evidence, m.contact, m.runner_up, coalesce(m.suggestions, '[]') as suggestions,
    m.trouble, m.evaluated_at,
    array(select r.crm_contact_id from rejected_matches r where r.dialog_id = dialogs.id) as rejected`;

const STATE = `
  select ${STATE_COLUMNS}
  from dialogs left join contact_matches m on m.dialog_id = dialogs.id
  where dialogs.user_id = ?`;

/** How the user's conversations are matched, and why; of all of them without `dialogIds`. By conversation. */
export async function listMatchState(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] },
): Promise<Map<string, MatchState>> {
  const asked = dialogIds?.filter(isUuid);
  const { rows } = asked
    ? await db.raw<Rows>(`${STATE} and dialogs.id = any(?::uuid[])`, [userId, asked])
    : await db.raw<Rows>(STATE, [userId]);
  return new Map(rows.map(row => matchStateRow.parse(row)).map(state => [state.dialogId, state]));
}

/** A conversation with how it is matched, and why. Undefined for an unknown one and for somebody else's. */
export async function findMatched(
  db: Db,
  { userId, dialogId }: { userId: string; dialogId: string },
): Promise<{ dialog: Dialog; state: MatchState } | undefined> {
  if (!isUuid(dialogId)) return undefined;
  const { rows } = await db.raw<Rows>(
    `select dialogs.*, ${STATE_COLUMNS}
     from dialogs left join contact_matches m on m.dialog_id = dialogs.id
     where dialogs.user_id = ? and dialogs.id = ?`,
    [userId, dialogId],
  );
  return rows.map(row => ({ dialog: dialogRow.parse(row), state: matchStateRow.parse(row) }))[0];
}

export type NewReasons = MatchReasons & { dialogId: string };

/** Writes why conversations are matched as they are. One statement for many. */
export async function upsertReasons(db: Db, userId: string, matches: readonly NewReasons[], now: Date): Promise<void> {
  if (matches.length === 0) return;
  await db.raw(
    `
    insert into contact_matches (dialog_id, user_id, rule, decided_by, evidence, contact, runner_up, suggestions,
                                 trouble, evaluated_at)
    select m.dialog_id, ?::uuid, m.rule, m.decided_by, m.evidence, m.contact, m.runner_up, m.suggestions, m.trouble, ?
    from jsonb_to_recordset(?::jsonb) as m (dialog_id uuid, rule text, decided_by text, evidence jsonb, contact jsonb,
      runner_up jsonb, suggestions jsonb, trouble text)
    on conflict (dialog_id) do update set rule = excluded.rule, decided_by = excluded.decided_by,
      evidence = excluded.evidence, contact = excluded.contact, runner_up = excluded.runner_up,
      suggestions = excluded.suggestions, trouble = excluded.trouble, evaluated_at = excluded.evaluated_at
    where contact_matches.user_id = excluded.user_id
    `,
    [userId, now, asJson(matches.map(toRow))],
  );
}

function toRow(match: NewReasons) {
  return {
    dialog_id: match.dialogId,
    rule: match.rule,
    decided_by: match.decidedBy,
    evidence: match.evidence,
    contact: match.contact,
    runner_up: match.runnerUp,
    suggestions: match.suggestions,
    trouble: match.trouble,
  };
}

/** Of links that stand: whether their contact is still what it was. Null takes a trouble away. */
export async function setTroubles(
  db: Db,
  userId: string,
  troubles: readonly { dialogId: string; trouble: MatchTrouble | null }[],
): Promise<void> {
  if (troubles.length === 0) return;
  await db.raw(
    `
    update contact_matches set trouble = t.trouble
    from jsonb_to_recordset(?::jsonb) as t (dialog_id uuid, trouble text)
    where contact_matches.user_id = ? and contact_matches.dialog_id = t.dialog_id
    `,
    [JSON.stringify(troubles.map(({ dialogId, trouble }) => ({ dialog_id: dialogId, trouble }))), userId],
  );
}

/** Links whose contact is not what it was. By conversation. */
export async function listTroubles(db: Db, userId: string): Promise<Map<string, MatchTrouble>> {
  const rows = await db('contact_matches')
    .where({ user_id: userId })
    .whereNotNull('trouble')
    .select<{ dialog_id: string; trouble: MatchTrouble }[]>('dialog_id', 'trouble');
  return new Map(rows.map(row => [row.dialog_id, row.trouble]));
}

/** The linked conversations that may have to wait for a person, matched by a rule or in trouble, and what decides it. */
export async function listReviewCandidates(db: Db, userId: string): Promise<ReviewCandidate[]> {
  const rows = await db('dialogs')
    .leftJoin('contact_matches', 'contact_matches.dialog_id', 'dialogs.id')
    .leftJoin('crm_connections', 'crm_connections.user_id', 'dialogs.user_id')
    .leftJoin('sync_configs', 'sync_configs.user_id', 'dialogs.user_id')
    .where({ 'dialogs.user_id': userId })
    .whereNot('dialogs.crm_contact_id', '')
    .where(either => either.whereLike('dialogs.match_status', 'AUTO%').orWhereNotNull('contact_matches.trouble'))
    .select(
      ...['dialogs.id', 'peer_type', 'unreadable', 'tracking_choice'],
      ...['match_status', 'match_confidence', 'crm_contact_id', 'trouble'],
      ...['sure_matches_write', 'name_matches_write', 'include_groups'],
    );
  return rows.map(row => reviewCandidateRow.parse(row));
}

/** What {@link linkedDialogRow} takes, for statements that join `dialogs` with its `contact_matches m`. */
export const LINK_COLUMNS = `dialogs.peer_type, dialogs.match_status, dialogs.match_confidence, dialogs.crm_contact_id,
  dialogs.crm_contact_name, m.trouble, coalesce(m.contact ->> 'company', '') as company, coalesce(m.evidence, '[]') as evidence`;

/** Tracked private conversations that were never looked up in the CRM, and about which nobody has decided. */
const WAITING = `
  from dialogs left join contact_matches m on m.dialog_id = dialogs.id
  where dialogs.user_id = ? and m.dialog_id is null and peer_type = 'user' and match_status = 'UNMATCHED'
    and unreadable is null and tracking_choice is distinct from false`;

export async function listWaiting(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(`select dialogs.id ${WAITING}`, [userId]);
  return rows.map(({ id }) => id);
}

/** How many these are, and whether matching them is under way or about to be. */
export async function findMatching(db: Db, userId: string): Promise<{ waiting: number; isRunning: boolean }> {
  const { rows } = await db.raw<{ rows: { waiting: number; isRunning: boolean }[] }>(
    `select count(*)::int as waiting, exists (
       select from pgboss.job where name = ? and singleton_key = ? and state in ('created', 'retry', 'active')
     ) as "isRunning" ${WAITING}`,
    [CRM_CONNECTED_QUEUE.name, userId, userId],
  );
  return rows[0] ?? { waiting: 0, isRunning: false };
}

/** Lets one after the other store what the rules say of this user's conversations. */
export async function lockMatching(trx: Db, userId: string): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [`matching ${userId}`]);
}

/** The links of these conversations, in short. */
export async function listLinks(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds: readonly string[] },
): Promise<LinkedDialog[]> {
  const { rows } = await db.raw<Rows>(
    `
    select dialogs.id as dialog_id, ${LINK_COLUMNS}
    from dialogs left join contact_matches m on m.dialog_id = dialogs.id
    where dialogs.user_id = ? and dialogs.id = any(?::uuid[])
    `,
    [userId, dialogIds.filter(isUuid)],
  );
  return rows.map(row => linkedDialogRow.parse(row));
}

/** What was decided about contacts that are not there any more, and what was found out about them. */
export async function deleteMatches(db: Db, userId: string): Promise<void> {
  for (const table of ['contact_matches', 'rejected_matches', 'match_decisions']) {
    await db(table).where({ user_id: userId }).delete();
  }
}

type Pair = { userId: string; dialogId: string; contactId: string };

/** Remembers that this contact is somebody else. Twice is the same as once. */
export async function insertRejected(db: Db, { userId, dialogId, contactId }: Pair, now: Date): Promise<void> {
  await db('rejected_matches')
    .insert({ dialog_id: dialogId, crm_contact_id: contactId, user_id: userId, rejected_at: now })
    .onConflict(['dialog_id', 'crm_contact_id'])
    .ignore();
}

export async function deleteRejected(db: Db, { userId, dialogId, contactId }: Pair): Promise<void> {
  await db('rejected_matches').where({ user_id: userId, dialog_id: dialogId, crm_contact_id: contactId }).delete();
}

/** Puts the remembered pairs of one conversation back to what they were. */
export async function replaceRejected(
  db: Db,
  { userId, dialogId, contactIds }: { userId: string; dialogId: string; contactIds: readonly string[] },
  now: Date,
): Promise<void> {
  await db('rejected_matches')
    .where({ user_id: userId, dialog_id: dialogId })
    .whereNotIn('crm_contact_id', contactIds)
    .delete();
  for (const contactId of contactIds) await insertRejected(db, { userId, dialogId, contactId }, now);
}

/** Returns the decision's id: by it the decision is undone. */
export async function insertDecision(
  db: Db,
  decision: Pick<Decision, 'dialogId' | 'action' | 'before' | 'batchId'> & { userId: string; now: Date },
): Promise<string> {
  const [row] = await db('match_decisions')
    .insert({
      user_id: decision.userId,
      dialog_id: decision.dialogId,
      action: decision.action,
      batch_id: decision.batchId,
      before: asJson(decision.before),
      decided_at: decision.now,
    })
    .returning<{ id: string }[]>('id');
  if (!row) throw new Error('The decision was not stored.');
  return row.id;
}

/** One decision by its own id, or all of a batch by the batch's. Empty for an unknown one and for somebody else's. */
export async function listDecisions(db: Db, { userId, token }: { userId: string; token: string }): Promise<Decision[]> {
  if (!isUuid(token)) return [];
  const rows = await db('match_decisions')
    .where({ user_id: userId })
    .where(either => either.where({ id: token }).orWhere({ batch_id: token }))
    .orderBy('dialog_id');
  return rows.map(row => decisionRow.parse(row));
}

/** The newest decision on each of these conversations, undone or not. By conversation. */
export async function listNewestDecisions(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds: readonly string[] },
): Promise<Map<string, Decision>> {
  const rows = await db('match_decisions')
    .where({ user_id: userId })
    .whereIn('dialog_id', dialogIds)
    .distinctOn('dialog_id')
    .orderBy([{ column: 'dialog_id' }, { column: 'number', order: 'desc' }]);
  return new Map(rows.map(row => decisionRow.parse(row)).map(decision => [decision.dialogId, decision]));
}

export async function markUndone(
  db: Db,
  { userId, decisionIds }: { userId: string; decisionIds: readonly string[] },
  now: Date,
): Promise<void> {
  await db('match_decisions').where({ user_id: userId }).whereIn('id', decisionIds).update({ undone_at: now });
}

/** Postgres stores no NUL characters; a record in the CRM may hold one. */
function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.replaceAll('\0', '') : part));
}

/** The user's own numbers, by account: where a number without a country code is dialed. */
export async function listOwnPhones(db: Db, userId: string): Promise<Map<string, string>> {
  const rows = await db('messenger_accounts')
    .where({ user_id: userId })
    .select<{ id: string; phone: string }[]>('id', 'phone');
  return new Map(rows.map(({ id, phone }) => [id, phone]));
}
