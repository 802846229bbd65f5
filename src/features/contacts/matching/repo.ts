import { type Db, isUuid } from '../../../lib/db.ts';
import { NO_SQL, sql } from '../../../lib/sql.ts';
import { CRM_CONNECTED_QUEUE } from '../../crm/schema.ts';
import { type Dialog, dialogRow } from '../../messenger/dialogs/schema.ts';
import { type LinkedDialog, linkedDialogRow, type MatchProblem, type MatchState, matchStateRow } from './schema.ts';

/** The columns that {@link linkedDialogRow} parses, for statements that join `dialogs`. */
export const LINK_COLUMNS = sql`dialogs.peer_type, dialogs.match_status, dialogs.match_confidence, dialogs.crm_contact_id,
  dialogs.crm_contact_name, dialogs.match_problem, dialogs.match_evidence, dialogs.namesakes,
  coalesce(dialogs.match_contact ->> 'company', '') as company`;

const selectState = (userId: string) => sql`select dialogs.*, dialogs.id as dialog_id,
  array(select r.crm_contact_id from rejected_matches r where r.dialog_id = dialogs.id) as rejected
  from dialogs where dialogs.user_id = ${userId}`;

/** How the user's conversations are matched, and why, by conversation. Without `dialogIds`, for all of them. */
export async function listMatchState(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] },
): Promise<Map<string, MatchState>> {
  const ids = dialogIds?.filter(isUuid);
  const only = ids ? sql`and dialogs.id = any(${ids}::uuid[])` : NO_SQL;
  const states = await sql`${selectState(userId)} ${only}`.read(db, matchStateRow);
  return new Map(states.map(state => [state.dialogId, state]));
}

/** A conversation with how it is matched, and why. Undefined for an unknown one and for another user's. */
export async function findMatchState(
  db: Db,
  { userId, dialogId }: { userId: string; dialogId: string },
): Promise<{ dialog: Dialog; state: MatchState } | undefined> {
  if (!isUuid(dialogId)) return undefined;
  const rows = await sql`${selectState(userId)} and dialogs.id = ${dialogId}`.rows(db);
  return rows.map(row => ({ dialog: dialogRow.parse(row), state: matchStateRow.parse(row) }))[0];
}

/** SQL column: the problem that the user has to solve. A contact was deleted or merged, or several have one name. */
export const PROBLEM = `coalesce(match_problem, case when namesakes > 1 then 'NAMESAKES' end)`;

/** Conversations with such a problem. */
export async function listProblems(db: Db, userId: string): Promise<Map<string, MatchProblem | 'NAMESAKES'>> {
  const rows = await db('dialogs')
    .where({ user_id: userId })
    .where(either => either.whereNotNull('match_problem').orWhere('namesakes', '>', 1))
    .select<{ id: string; problem: MatchProblem | 'NAMESAKES' }[]>('id', db.raw(`${PROBLEM} as problem`));
  return new Map(rows.map(row => [row.id, row.problem]));
}

const fromUnmatchedDialogs = (userId: string) => sql`from dialogs where dialogs.user_id = ${userId}
  and match_evaluated_at is null and peer_type = 'user' and match_status = 'UNMATCHED'
  and unreadable is null and tracking_choice is distinct from false`;

/** Tracked private conversations that were never looked up in the CRM, and about which no person has decided. */
export async function listUnmatchedDialogIds(db: Db, userId: string): Promise<string[]> {
  const rows = await sql`select dialogs.id ${fromUnmatchedDialogs(userId)}`.rows<{ id: string }>(db);
  return rows.map(({ id }) => id);
}

/** Number of conversations to match, and whether that is under way or about to start. */
export async function findMatchingProgress(db: Db, userId: string): Promise<{ waiting: number; isRunning: boolean }> {
  const [progress] = await sql`
    select count(*)::int as waiting, exists (
      select from pgboss.job where name = ${CRM_CONNECTED_QUEUE.name} and singleton_key = ${userId}
        and state in ('created', 'retry', 'active')
    ) as "isRunning" ${fromUnmatchedDialogs(userId)}
  `.rows<{ waiting: number; isRunning: boolean }>(db);
  return progress ?? { waiting: 0, isRunning: false };
}

/** The links of these conversations, in short. */
export async function listLinks(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds: readonly string[] },
): Promise<LinkedDialog[]> {
  return sql`
    select dialogs.id as dialog_id, ${LINK_COLUMNS}
    from dialogs where dialogs.user_id = ${userId} and dialogs.id = any(${dialogIds.filter(isUuid)}::uuid[])
  `.read(db, linkedDialogRow);
}
