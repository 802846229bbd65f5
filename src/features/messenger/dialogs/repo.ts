import type { MessengerDialog } from '../../../clients/messenger/types.ts';
import { type Db, isUuid, toStorableJson } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { mapInSteps } from '../../../lib/inSteps.ts';
import { nameKeys } from '../../../lib/nameKeys.ts';
import { sql } from '../../../lib/sql.ts';
import * as schema from './schema.ts';

/**
 * Writes one page of the messenger's list in one statement: new conversations get a row, known ones their present
 * name, handles and top message. The person's choices, cursors and matches are left alone.
 */
export async function upsertDialogs(db: Db, { userId, accountId }: schema.AccountKey, page: MessengerDialog[]) {
  if (page.length === 0) return;
  const rows = toStorableJson(page.map(dialog => ({ ...dialog, keys: nameKeys(dialog.name) })));
  await sql`
    insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, access_hash, peer_name,
                         name_keys, peer_username, peer_phone, unreadable, top_message_id, last_message_at, unread_count)
    select ${userId}::uuid, ${accountId}::uuid, "peerId", "peerType", peer ->> 'kind', peer ->> 'id', peer ->> 'accessHash', name, keys, username,
      phone, unreadable, "topMessageId", "lastMessageAt", "unreadCount"
    from jsonb_to_recordset(${rows}::jsonb) as d ("peerId" text, "peerType" text, peer jsonb, name text, keys text[], username text,
      phone text, unreadable text, "topMessageId" bigint, "lastMessageAt" timestamptz, "unreadCount" integer)
    on conflict (account_id, peer_id) do update set
      peer_type = excluded.peer_type, peer_kind = excluded.peer_kind, peer_key = excluded.peer_key,
      access_hash = excluded.access_hash, peer_name = excluded.peer_name, name_keys = excluded.name_keys,
      peer_username = excluded.peer_username, peer_phone = excluded.peer_phone, unreadable = excluded.unreadable, top_message_id = excluded.top_message_id,
      last_message_at = excluded.last_message_at, unread_count = excluded.unread_count
    where dialogs.user_id = excluded.user_id
  `.rows(db);
}

/** The newest stored message of these conversations, by the peer's id. */
export async function listTopMessages(
  db: Db,
  { userId, accountId }: schema.AccountKey,
  page: readonly Pick<MessengerDialog, 'peerId'>[],
): Promise<Map<string, number>> {
  const rows = await db('dialogs')
    .where({ user_id: userId, account_id: accountId })
    .whereIn(
      'peer_id',
      page.map(({ peerId }) => peerId),
    )
    .select('peer_id as peerId', 'top_message_id as topMessageId');
  return new Map(rows.map(({ peerId, topMessageId }) => [peerId, Number(topMessageId)]));
}

/** Range of rows of a page. */
export type Range = { offset: number; limit: number };

type DialogFilter = { [ids in 'accountIds' | 'dialogIds']?: readonly string[] | undefined } & { range?: Range | undefined };

/** All conversations of a user, or those of these accounts, newest first; or a range of them. */
export async function listDialogs(
  db: Db,
  userId: string,
  { accountIds, dialogIds, range }: DialogFilter = {},
): Promise<schema.Dialog[]> {
  const query = db('dialogs').where({ user_id: userId }).orderByRaw('last_message_at desc nulls last, id');
  if (accountIds) query.whereIn('account_id', accountIds);
  if (dialogIds) query.whereRaw('id = any(?::uuid[])', [[...dialogIds]]);
  if (range) query.offset(range.offset).limit(range.limit);
  const rows = await query.select(schema.DIALOG_COLUMNS);
  return mapInSteps(rows, row => schema.dialogRow.parse(row));
}

/** All conversations of a user, counted: there may be thousands. */
export async function countDialogs(db: Db, userId: string): Promise<schema.DialogCount[]> {
  return sql`
    select account_id, peer_type, unreadable, tracking_choice, count(*)::int as count
    from dialogs where user_id = ${userId} group by 1, 2, 3, 4
  `.read(db, schema.dialogCountRow);
}

/** Throws NotFound for an unknown conversation and for another user's. */
export async function getDialog(db: Db, { userId, dialogId }: schema.DialogKey): Promise<schema.Dialog> {
  const row = isUuid(dialogId)
    ? await db('dialogs').where({ user_id: userId, id: dialogId }).first(schema.DIALOG_COLUMNS)
    : undefined;
  if (!row) throw new NotFound('conversation');
  return schema.dialogRow.parse(row);
}

type DialogSwitches = Partial<Pick<schema.Dialog, 'trackingChoice' | 'isPinned' | 'isMuted'>>;

/** Stores what a person chose for a conversation. */
export async function setSwitches(db: Db, owned: schema.DialogKey, choice: DialogSwitches) {
  await db('dialogs').where({ user_id: owned.userId, id: owned.dialogId }).update(schema.dialogRow.columns(choice));
}

/** `userWrote`, `peerWrote`: who wrote, according to the messages that were read. */
type CursorMove = { dialogId: string; messageId: number; userWrote?: boolean; peerWrote?: boolean };

/** Advances cursors, never back, and records who has written. One statement for many. */
export async function advanceCursors(db: Db, userId: string, moves: CursorMove[], now: Date): Promise<void> {
  if (moves.length === 0) return;
  await sql`
    update dialogs set cursor_message_id = greatest(dialogs.cursor_message_id, m."messageId"), last_synced_at = ${now},
      user_wrote = dialogs.user_wrote or coalesce(m."userWrote", false),
      peer_wrote = dialogs.peer_wrote or coalesce(m."peerWrote", false)
    from jsonb_to_recordset(${toStorableJson(moves)}::jsonb)
      as m ("dialogId" uuid, "messageId" bigint, "userWrote" boolean, "peerWrote" boolean)
    where dialogs.user_id = ${userId} and dialogs.id = m."dialogId"
  `.rows(db);
}

/** Locks these conversations until the transaction ends; always in one order, so that two never wait for each other. */
export async function lockDialogs(db: Db, { userId, dialogIds }: { userId: string; dialogIds: readonly string[] }) {
  const ids = dialogIds.filter(isUuid);
  const rows = await db('dialogs')
    .where({ user_id: userId })
    .whereIn('id', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .select(schema.DIALOG_COLUMNS);
  return rows.map(row => schema.dialogRow.parse(row));
}

/** The contact that a conversation is linked to, and why. */
type NewMatch = {
  dialogId: string;
  status: schema.MatchStatus;
  confidence: number;
  contactId: string;
  contactName: string | null;
  rule: string | null;
  decidedBy: string;
  evidence: readonly unknown[];
  contact: unknown;
  runnerUp: unknown;
  suggestions: readonly unknown[];
  problem: string | null;
};

/** Stores many matches in one statement. */
export async function setMatches(db: Db, { userId, now }: { userId: string; now: Date }, matches: readonly NewMatch[]) {
  if (matches.length === 0) return;
  await sql`
    update dialogs set match_status = m.status, match_confidence = m.confidence, crm_contact_id = m."contactId",
      crm_contact_name = m."contactName", match_rule = m.rule, match_decided_by = m."decidedBy",
      match_evidence = m.evidence, match_contact = m.contact, match_runner_up = m."runnerUp",
      match_suggestions = m.suggestions, match_problem = m.problem, match_evaluated_at = ${now},
      merged_contact_ids = case when m."contactId" = dialogs.crm_contact_id then dialogs.merged_contact_ids else '{}' end
    from jsonb_to_recordset(${toStorableJson(matches)}::jsonb) as m ("dialogId" uuid, status text, confidence numeric, "contactId" text,
      "contactName" text, rule text, "decidedBy" text, evidence jsonb, contact jsonb, "runnerUp" jsonb,
      suggestions jsonb, problem text)
    where dialogs.user_id = ${userId} and dialogs.id = m."dialogId"
  `.rows(db);
}

type NewProblem = { dialogId: string; problem: string | null; survivor?: { id: string; name: string } | undefined };

/** For existing links: what became of their contact; the link of a merged one moves to the surviving record. */
export async function updateLinkProblems(db: Db, userId: string, problems: readonly NewProblem[]): Promise<void> {
  if (problems.length === 0) return;
  await sql`
    update dialogs set match_problem = t.problem, crm_contact_id = coalesce(t.survivor ->> 'id', crm_contact_id),
      crm_contact_name = case when t.survivor is null then crm_contact_name else t.survivor ->> 'name' end,
      merged_contact_ids = case when t.survivor is null then merged_contact_ids else merged_contact_ids || crm_contact_id end
    from jsonb_to_recordset(${toStorableJson(problems)}::jsonb) as t ("dialogId" uuid, problem text, survivor jsonb)
    where dialogs.user_id = ${userId} and dialogs.id = t."dialogId"
  `.rows(db);
}

/** Unlinks all of the user's conversations; ignored ones stay ignored. */
export async function resetMatches(db: Db, userId: string): Promise<void> {
  await sql`
    update dialogs set match_status = case match_status when 'IGNORED' then 'IGNORED' else 'UNMATCHED' end,
      match_confidence = default, crm_contact_id = default, crm_contact_name = default, match_rule = default,
      match_decided_by = default, match_evidence = default, match_contact = default, match_runner_up = default,
      match_suggestions = default, match_problem = default, match_evaluated_at = default, merged_contact_ids = default
    where user_id = ${userId}
  `.rows(db);
}
