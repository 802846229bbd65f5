import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { CRM_CONNECTED_QUEUE } from '../crm/schema.ts';
import { type Dialog, dialogRow } from '../dialogs/schema.ts';
import {
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

/** Links whose contact is not what it was. By conversation. */
export async function listTroubles(db: Db, userId: string): Promise<Map<string, MatchTrouble>> {
  const rows = await db('contact_matches')
    .where({ user_id: userId })
    .whereNotNull('trouble')
    .select<{ dialog_id: string; trouble: MatchTrouble }[]>('dialog_id', 'trouble');
  return new Map(rows.map(row => [row.dialog_id, row.trouble]));
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

/** Every statement that writes why conversations are matched as they are. */

export type NewReasons = MatchReasons & { dialogId: string };

/** For rows `m` as {@link reasonsRow} makes them, of the user `:userId` at the time `:now`. */
export const UPSERT_REASONS = `
  insert into contact_matches (dialog_id, user_id, rule, decided_by, evidence, contact, runner_up, suggestions, trouble,
    evaluated_at)
  select m.dialog_id, :userId::uuid, m.rule, m.decided_by, m.evidence, m.contact, m.runner_up, m.suggestions, m.trouble,
    :now::timestamptz
  from m
  on conflict (dialog_id) do update set rule = excluded.rule, decided_by = excluded.decided_by,
    evidence = excluded.evidence, contact = excluded.contact, runner_up = excluded.runner_up,
    suggestions = excluded.suggestions, trouble = excluded.trouble, evaluated_at = excluded.evaluated_at
  where contact_matches.user_id = excluded.user_id`;

export function reasonsRow(match: NewReasons) {
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

/** One statement for many. */
export async function upsertReasons(db: Db, userId: string, matches: readonly NewReasons[], now: Date): Promise<void> {
  if (matches.length === 0) return;
  await db.raw(
    `
    with m as materialized (
      select * from jsonb_to_recordset(:rows::jsonb) as m (dialog_id uuid, rule text, decided_by text, evidence jsonb,
        contact jsonb, runner_up jsonb, suggestions jsonb, trouble text)
    ) ${UPSERT_REASONS}
    `,
    { userId, now, rows: asJson(matches.map(reasonsRow)) },
  );
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

/** What was decided about contacts that are not there any more, and what was found out about them. */
export async function deleteMatches(db: Db, userId: string): Promise<void> {
  for (const table of ['contact_matches', 'rejected_matches', 'match_decisions']) {
    await db(table).where({ user_id: userId }).delete();
  }
}

/** Postgres stores no NUL characters; a record in the CRM may hold one. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.replaceAll('\0', '') : part));
}
