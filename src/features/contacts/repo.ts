import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import {
  type Decision,
  type DecisionKind,
  decisionRow,
  type MatchReasons,
  type MatchState,
  type MatchTrouble,
  matchStateRow,
  type Snapshot,
} from './schema.ts';

type Rows = { rows: unknown[] };

const STATE = `
  select dialogs.id as dialog_id, dialogs.match_status, dialogs.match_confidence, dialogs.crm_contact_id,
    dialogs.crm_contact_name, m.rule, coalesce(m.decided_by, 'rule') as decided_by,
    coalesce(m.evidence, '[]') as evidence, m.contact, m.runner_up, coalesce(m.suggestions, '[]') as suggestions,
    m.trouble, m.evaluated_at,
    array(select r.crm_contact_id from rejected_matches r where r.dialog_id = dialogs.id) as rejected
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
    [userId, now, JSON.stringify(matches.map(toRow)).replaceAll('\\u0000', '')],
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
  decision: { userId: string; dialogId: string; action: DecisionKind; before: Snapshot; now: Date },
): Promise<string> {
  const [row] = await db('match_decisions')
    .insert({
      user_id: decision.userId,
      dialog_id: decision.dialogId,
      action: decision.action,
      before: JSON.stringify(decision.before).replaceAll('\\u0000', ''),
      decided_at: decision.now,
    })
    .returning<{ id: string }[]>('id');
  if (!row) throw new Error('The decision was not stored.');
  return row.id;
}

/** Undefined for an unknown decision and for somebody else's. */
export async function findDecision(
  db: Db,
  { userId, decisionId }: { userId: string; decisionId: string },
): Promise<Decision | undefined> {
  if (!isUuid(decisionId)) return undefined;
  const row = await db('match_decisions').where({ user_id: userId, id: decisionId }).first();
  return row && decisionRow.parse(row);
}

/** The newest decision on one conversation, undone or not. */
export async function findNewestDecision(
  db: Db,
  { userId, dialogId }: { userId: string; dialogId: string },
): Promise<Decision | undefined> {
  const row = await db('match_decisions')
    .where({ user_id: userId, dialog_id: dialogId })
    .orderBy([
      { column: 'decided_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first();
  return row && decisionRow.parse(row);
}

export async function markUndone(
  db: Db,
  { userId, decisionId }: { userId: string; decisionId: string },
  now: Date,
): Promise<void> {
  await db('match_decisions').where({ user_id: userId, id: decisionId }).update({ undone_at: now });
}
