import type { TaskState } from '../../../clients/crm/types.ts';
import { type Db, isUuid, type UserKey } from '../../../lib/db.ts';
import { rawSql, sql } from '../../../lib/sql.ts';
import { LIVE, quoteCondition, SETTLED, selectCrmLine } from '../../promises/fragments.ts';
import { TRANSITIONS } from '../../promises/rules.ts';
import * as outbox from '../repo.ts';
import type { PendingState, WrittenRecord } from '../schema.ts';
import { TASK_TRANSITIONS, TASKS } from './rules.ts';
import { type ClaimedTask, claimedRow } from './schema.ts';

/* The statements that bring the wanted tasks in line with the promises and the links of their conversations. */

/** Tasks of a CRM account, and the conversations whose promises may become tasks, each with its contact. */
type TaskScope = { userId: string; portalId: string; targets: readonly outbox.Target[] };

/** A CRM cuts longer titles anyway; nothing is lost, since the task leads to the promise. */
const MAX_SUBJECT_LENGTH = 250;
/** Default hour of tasks. */
const DUE_HOUR = rawSql("'09:00'::time");

/** The task's title, which colleagues read; null for a quotation that the user doesn't want shown in the CRM. */
const SUBJECT = sql`case when not ${quoteCondition('p')}
  or (select tasks_quote from crm_connections c where c.user_id = p.user_id) then left(${selectCrmLine('p')}, ${MAX_SUBJECT_LENGTH}) end`;
/** A snoozed promise is due no earlier than its return. */
const DUE_DAY = sql`greatest(p.due_date, p.snoozed_until)`;
/** In the time zone of the user, in which days are due. */
const DUE_AT = sql`(${DUE_DAY} + case when ${DUE_DAY} = p.due_date
    and p.due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then p.due_time::time else ${DUE_HOUR} end)
  at time zone coalesce((select timezone from sync_configs where user_id = p.user_id), 'UTC')`;
const IS_DONE = rawSql(`p.state = '${TRANSITIONS.done.to}'`);

/** Only promises of the user with a due day. */
const IS_OWN_WITH_DUE_DATE = sql`p.direction = 'mine' and p.due_date is not null and p.words <> ''`;
const IS_TASK = sql`${IS_OWN_WITH_DUE_DATE} and (${LIVE} or ${IS_DONE})`;
const IS_LINKED = sql`dialogs.crm_contact_id = o.crm_contact_id and dialogs.match_status not in ('UNMATCHED', 'IGNORED')`;

/** With the task's promise as `p`, and its conversation. */
const inScope = ({ userId, portalId }: TaskScope) => sql`o.user_id = ${userId} and o.portal_id = ${portalId}
  and p.id = o.promise_id and p.user_id = o.user_id and dialogs.id = p.dialog_id`;
/** A task that the CRM refused is tried again when the promise has changed, and once a day. */
const MAY_TRY = sql`(o.state <> 'failed' or p.changed_at > o.failed_at or o.failed_at < now() - interval '20 hours')`;

const { mayMove, stateAfter } = outbox.buildStateSql(TASK_TRANSITIONS);

/** Moves tasks to the survivors of merged contacts, as the CRM does. */
export async function followMerges(trx: Db, scope: TaskScope): Promise<void> {
  await sql`
    update outbox_tasks o set crm_contact_id = dialogs.crm_contact_id from promises p, dialogs
    where ${inScope(scope)} and o.crm_contact_id = any(dialogs.merged_contact_ids)
  `.rows(trx);
}

/**
 * Drops tasks whose promise was cancelled, dismissed, withdrawn or reassigned, or whose conversation is linked to another
 * contact or none. Tasks that never reached the CRM are deleted at once, even if the promise was kept.
 */
export async function dropUnwanted(trx: Db, scope: TaskScope): Promise<void> {
  const isTarget = sql`exists (select from ${outbox.rowsOf(scope.targets)} where target.dialog_id = p.dialog_id)`;
  await sql`
    update outbox_tasks o set state = ${stateAfter('drop')}, ${outbox.RESET_RETRIES}
    from promises p, dialogs
    where ${inScope(scope)} and ${mayMove('drop')} and (o.crm_id is null or ${MAY_TRY})
      and (not (${IS_TASK}) or not (${IS_LINKED} or ${outbox.MAY_STAY}) or (o.crm_id is null and not ${isTarget}))
  `.rows(trx);
  await sql`
    delete from outbox_tasks o using promises p, dialogs
    where ${inScope(scope)} and ${outbox.NEVER_SENT}
      and (o.state = ${stateAfter('drop')} or (o.state in (${stateAfter('want')}, ${stateAfter('refuse')}) and ${IS_DONE}))
  `.rows(trx);
}

/** Drops the tasks of promises whose words were deleted: what they say is kept here no longer, either. */
export async function dropOfPromises(trx: Db, { userId, promiseIds }: UserKey & { promiseIds: readonly string[] }) {
  await sql`
    update outbox_tasks o set subject = null, ${outbox.RESET_RETRIES},
      state = case when ${mayMove('drop')} then ${stateAfter('drop')} else o.state end
    where o.user_id = ${userId} and o.promise_id = any(${promiseIds}::uuid[])
  `.rows(trx);
}

/** Takes back tasks whose promises are wanted again, once the CRM has answered if they are just being archived. */
export async function restoreWanted(trx: Db, scope: TaskScope): Promise<void> {
  await sql`
    update outbox_tasks o set tries = 0, failure = null,
      state = case when o.crm_id is null then ${stateAfter('keepWaiting')} else ${stateAfter('keep')} end
    from promises p, dialogs
    where ${inScope(scope)} and ${mayMove('keep')} and ${IS_TASK} and ${IS_LINKED} and ${outbox.IS_FREE}
      and (o.crm_id is null or not o.is_unclear)
  `.rows(trx);
  await sql`
    update outbox_tasks o set state = ${stateAfter('renew')}, crm_contact_id = target.contact_id, subject = null, due_at = null,
      is_own_subject = false, is_completed = false, crm_completed_at = '', tries = 0, failure = null, read_at = null,
      claimed_until = null
    from promises p, dialogs, ${outbox.rowsOf(scope.targets)}
    where ${inScope(scope)} and ${mayMove('renew')} and target.dialog_id = p.dialog_id and ${IS_OWN_WITH_DUE_DATE} and ${LIVE}
  `.rows(trx);
}

const IS_OWN = sql`'words' = any(p.edited)`;
/**
 * A task's subject is updated if the user edited the words, or took that back, not if a later digest worded the promise
 * differently. It is stored before the call, so after an unclear one it is updated again.
 */
const IS_REWORDED = sql`case when not ${IS_OWN} then o.is_own_subject
  else o.is_unclear or not o.is_own_subject or o.subject is distinct from left(p.words, ${MAX_SUBJECT_LENGTH}) end`;
/** For a completed task, only its completion is compared. */
const DIFFERS = sql`(o.is_completed <> (${IS_DONE}) or (not (${IS_DONE}) and (o.due_at is distinct from ${DUE_AT} or ${IS_REWORDED})))`;

/** Marks tasks that differ from their promises, and those that agree again. */
export async function markOutdated(trx: Db, scope: TaskScope): Promise<void> {
  await sql`
    update outbox_tasks o set ${outbox.requeue(TASKS)} from promises p, dialogs
    where ${inScope(scope)} and ${mayMove('outdate')} and ${MAY_TRY} and (${DIFFERS} or o.state = 'failed')
  `.rows(trx);
  await sql`
    update outbox_tasks o set state = ${stateAfter('agree')}, tries = 0, failure = null from promises p, dialogs
    where ${inScope(scope)} and ${mayMove('agree')} and not o.is_unclear and ${outbox.IS_FREE} and not ${DIFFERS}
  `.rows(trx);
}

/** Adds a waiting task for each open promise of the targets that has none. */
export async function addMissing(trx: Db, { userId, portalId, targets }: TaskScope): Promise<void> {
  await sql`
    insert into outbox_tasks (user_id, promise_id, portal_id, crm_contact_id, state)
    select p.user_id, p.id, ${portalId}, target.contact_id, ${stateAfter('want')}
    from ${outbox.rowsOf(targets)} join promises p on p.dialog_id = target.dialog_id
    where p.user_id = ${userId} and ${IS_OWN_WITH_DUE_DATE} and ${LIVE}
    on conflict (promise_id, portal_id) do nothing
  `.rows(trx);
}

/** Tasks of promises settled longer ago are no longer read in the CRM. */
const READ_DAYS = 14;

/** Tasks that the CRM has and that were not read since then; those settled long ago are left out. */
export function filterUnread(now: Date): outbox.RowFilter {
  return {
    joins: sql`join promises p on p.id = o.promise_id`,
    where: sql`${mayMove('lose')} and o.crm_id is not null and (o.read_at is null or o.read_at < ${now})
      and (not ${SETTLED} or p.changed_at > ${now}::timestamptz - ${READ_DAYS} * interval '1 day')`,
  };
}

/** A claimed task with what its promise says now. */
export const TASK_ROWS: outbox.ClaimedRows<ClaimedTask> = {
  columns: sql`o.id, o.promise_id, p.dialog_id, o.crm_contact_id as contact_id, o.crm_id, o.is_unclear,
    o.pending_completed, o.is_completed, o.crm_completed_at, o.due_at as written_due_at, ${IS_REWORDED} as is_reworded,
    ${IS_OWN} as is_own, ${SUBJECT} as subject, ${DUE_AT} as due_at, ${IS_DONE} as is_done,
    coalesce(said.is_urgent, false) as is_urgent, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone`,
  joins: sql`join promises p on p.id = o.promise_id join dialogs on dialogs.id = p.dialog_id
    left join digests said on said.id = p.last_digest_id`,
  reader: claimedRow,
};

/** The fields of a task that a call is about to change. */
type Sending = Pick<ClaimedTask, 'id'> & Partial<Pick<ClaimedTask, 'subject' | 'isOwn' | 'dueAt' | 'isCompleted'>>;

/** Marks tasks before they are sent, as the CRM may then have them. Returns those still claimed in the state. */
export async function markSending(
  db: Db,
  { userId, claim }: outbox.Claim,
  { state, sending }: { state: PendingState; sending: readonly Sending[] },
) {
  const rows = await sql`
    update outbox_tasks o set is_unclear = true, pending_completed = sent."isCompleted",
      subject = coalesce(sent.subject, o.subject), is_own_subject = o.is_own_subject or coalesce(sent."isOwn", false),
      due_at = coalesce(sent."dueAt", o.due_at)
    from jsonb_to_recordset(${JSON.stringify(sending)}::jsonb)
      as sent (id uuid, subject text, "isOwn" boolean, "dueAt" timestamptz, "isCompleted" boolean)
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = sent.id and o.state = ${state}
    returning o.id
  `.rows<{ id: string }>(db);
  return new Set(rows.map(row => row.id));
}

/** `isOwn`: whether the subject is now in the user's words; by default as marked when it was sent. */
type WrittenTask = WrittenRecord & { isOwn?: boolean };

/** The CRM has these as sent. Tasks unwanted meanwhile stay so. */
export async function finishWritten(db: Db, { userId, claim }: outbox.Claim, written: readonly WrittenTask[], now: Date) {
  await sql`
    update outbox_tasks o set crm_id = done."crmId", written_at = ${now}, ${outbox.CLEAR_CLAIM}, pending_completed = null,
      crm_completed_at = case when o.pending_completed is null then o.crm_completed_at else '' end,
      is_completed = coalesce(o.pending_completed, o.is_completed),
      is_own_subject = coalesce(done."isOwn", o.is_own_subject),
      state = case when ${mayMove('finish')} then ${stateAfter('finish')} else o.state end
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as done (id uuid, "crmId" text, "isOwn" boolean)
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = done.id
  `.rows(db);
}

/** The CRM no longer has these: we archived them, or a person deleted them. One that was to be archived counts as archived. */
export async function markRemoved(db: Db, { userId, claim }: outbox.Claim, ids: readonly string[]): Promise<void> {
  await sql`
    update outbox_tasks o set crm_id = null, ${outbox.CLEAR_CLAIM}, pending_completed = null,
      state = case when ${mayMove('lose')} then ${stateAfter('lose')} else ${stateAfter('archive')} end
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = any(${ids}::uuid[])
  `.rows(db);
}

/** Stores which are completed in the CRM. What day and words an unclear call left isn't known: they are written again. */
export async function storeCrmCompletion(
  db: Db,
  { userId, claim }: outbox.Claim,
  seen: readonly (TaskState & { id: string })[],
  now: Date,
): Promise<void> {
  await sql`
    update outbox_tasks o set is_completed = seen."isCompleted", crm_completed_at = seen."completedAt", read_at = ${now},
      ${outbox.CLEAR_CLAIM}, pending_completed = null, due_at = case when not o.is_unclear then o.due_at end,
      subject = case when not o.is_unclear then o.subject end
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen (id uuid, "isCompleted" boolean, "completedAt" text)
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = seen.id
  `.rows(db);
}

/** The newest task of a promise that the CRM has. Undefined for an unknown promise and for another user's. */
export async function findTask(
  db: Db,
  { userId, promiseId }: { userId: string; promiseId: string },
): Promise<{ portalId: string; taskId: string } | undefined> {
  if (!isUuid(promiseId)) return undefined;
  return db('outbox_tasks')
    .where({ user_id: userId, promise_id: promiseId })
    .whereNotNull('crm_id')
    .orderBy('created_at', 'desc')
    .first('portal_id as portalId', 'crm_id as taskId');
}
