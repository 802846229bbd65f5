import { z } from 'zod';
import { type Db, isUuid, rowReader } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { NO_SQL, type Sql, sql } from '../../../lib/sql.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import { TRANSITIONS as PROMISE_MOVES } from '../../promises/rules.ts';

/** The named digests, or with `isAll` the conversation's entire content. */
export type DeletionScope = DialogKey & { digestIds: readonly string[]; isAll: boolean };

/** Whether one of the digests covers the message with this id, given as text. */
const isCovered = ({ isAll, digestIds }: DeletionScope, id: Sql) => sql`(${isAll} or exists (
  select from digests read where read.id = any(${digestIds}::uuid[]) and case when ${id} ~ '^[0-9]{1,18}$'
    then ${id}::bigint > read.after_message_id and ${id}::bigint <= read.last_message_id else false end))`;

const digestRow = rowReader(z.object({ dialogId: z.string(), digestDate: z.string() }));

/** Throws NotFound for an unknown digest and for another user's. */
export async function getDigest(db: Db, { userId, digestId }: { userId: string; digestId: string }) {
  const day = db.raw(`to_char(digest_date, 'YYYY-MM-DD') as digest_date`);
  const found = db('digests').where({ user_id: userId, id: digestId }).first('dialog_id', day);
  const row = isUuid(digestId) ? await found : undefined;
  if (!row) throw new NotFound('digest');
  return digestRow.parse(row);
}

/** The ids of a conversation's digests, in any state, or of one that it has and of unwritten days whose messages that one has. */
export async function listDigestIds(db: Db, { userId, dialogId, digestId }: DialogKey & { digestId: string | undefined }) {
  const only = digestId ? sql`and (id = ${digestId}::uuid or (covered_by = ${digestId}::uuid and summary = ''))` : NO_SQL;
  const rows = await sql`
    select id from digests where user_id = ${userId} and dialog_id = ${dialogId} ${only} order by id
  `.rows<{ id: string }>(db);
  return rows.map(({ id }) => id);
}

/** Deletes the digests' rewrites: a process that works on one finds that it is no longer wanted. */
export async function deleteRewrites(db: Db, { userId, digestIds }: DeletionScope): Promise<void> {
  await db('digest_rewrites').where({ user_id: userId }).whereIn('digest_id', digestIds).delete();
}

const IS_OWN = sql`(p.is_added or p.edited <> '{}')`;
const isSaidByDeleted = ({ digestIds }: DeletionScope) =>
  sql`(p.first_digest_id = any(${digestIds}::uuid[]) or p.last_digest_id = any(${digestIds}::uuid[]))`;
/** The promises that one of the digests said first or last, with what the others of the conversation say of them. */
const said = (scope: DeletionScope) => sql`said as materialized (
  select p.id, d.id as digest_id, d.digest_date, item,
    case when d.engine = 'built-in' then d.updated_at end as quoted_at,
    case when coalesce(d.structured -> 'writtenIn', d.structured -> 'inCrm') is not null
      then coalesce(item ->> 'textInCrm', item ->> 'text') end as crm_words,
    case when d.structured -> 'exchanges' is not null then coalesce(
      (select jsonb_build_object('who', message -> 'sender', 'fromUser', message -> 'fromUser')
        from jsonb_path_query(d.sources, 'lax $.messages[*]') as message
        where message ->> 'id' = item -> 'sourceMessageIds' ->> -1 limit 1),
      '{"who": "", "fromUser": false}') end as said_by
  from promises p
  join digests d on d.dialog_id = p.dialog_id and d.user_id = p.user_id and d.id <> all(${scope.digestIds}::uuid[])
  cross join lateral jsonb_path_query(d.structured, 'lax $.actionItems[*]') as item
  where p.user_id = ${scope.userId} and p.dialog_id = ${scope.dialogId} and ${isSaidByDeleted(scope)} and item ->> 'id' = p.item_id)`;
/** Promises that rest on these digests alone, and whose words are theirs. */
const isTheirs = (
  scope: DeletionScope,
) => sql`p.dialog_id = ${scope.dialogId} and (${scope.isAll} or ${isSaidByDeleted(scope)}) and not ${IS_OWN}
  and p.id not in (select id from said)`;
/** The CRM has, or may have, a task that says the same. */
const HAS_TASK = sql`exists (select from outbox_tasks t where t.promise_id = p.id and t.user_id = p.user_id
  and (t.crm_id is not null or t.is_unclear))`;

/** Locks the conversation's promises in the order that all code uses, which prevents deadlocks. */
export async function lockPromises(trx: Db, { userId, dialogId }: DialogKey): Promise<void> {
  await trx('promises').where({ user_id: userId, dialog_id: dialogId }).orderBy('id').forUpdate().select('id');
}

/**
 * Keeps promises that another digest lists as well, in the words of the newest one. Promises that the user added or
 * edited stay too, without the quotes from digests. The last change of these can no longer be undone, since the undo
 * contains the earlier words.
 */
export async function keepOtherPromises(trx: Db, scope: DeletionScope): Promise<void> {
  await sql`
    with ${said(scope)}, kept as (
      select distinct on (id) id, digest_id as last_id, digest_date as last_on, item, quoted_at, crm_words, said_by,
        first_value(digest_id) over by_day as first_id, first_value(digest_date) over by_day as first_on
      from said window by_day as (partition by id order by digest_date) order by id, digest_date desc
    )
    update promises p set first_digest_id = kept.first_id, first_said_on = kept.first_on, last_digest_id = kept.last_id,
      last_said_on = kept.last_on, request = kept.item -> 'request', previous = null,
      quoted_at = coalesce(p.quoted_at, kept.quoted_at),
      said_words = kept.item ->> 'textInChat', crm_words = kept.crm_words, said_by = kept.said_by,
      words = case when 'words' = any(p.edited) then p.words else coalesce(kept.item ->> 'text', '') end,
      who = case when 'side' = any(p.edited) then p.who else kept.item ->> 'ownerName' end,
      due_text = case when 'due' = any(p.edited) then p.due_text else kept.item ->> 'dueText' end
    from kept where p.id = kept.id and p.user_id = ${scope.userId}
  `.rows(trx);
  await sql`
    with ${said(scope)}
    update promises p set request = null, previous = null,
      said_words = case when not 'words' = any(p.edited) then p.said_words end,
      crm_words = case when not 'words' = any(p.edited) then p.crm_words end,
      due_text = case when 'due' = any(p.edited) then p.due_text end
    where p.user_id = ${scope.userId} and p.dialog_id = ${scope.dialogId} and (${scope.isAll} or ${isSaidByDeleted(scope)}) and ${IS_OWN}
      and (p.first_digest_id is not null or p.last_digest_id is not null or p.request is not null)
      and p.id not in (select id from said)
  `.rows(trx);
}

/** Deletes promises that only these digests say. Returns the ids of those with a task: they only lose their words for now. */
export async function deleteOrEmptyPromises(trx: Db, scope: DeletionScope & { now: Date }): Promise<string[]> {
  const rows = await sql`
    with ${said(scope)}, deleted as (
      delete from promises p where p.user_id = ${scope.userId} and ${isTheirs(scope)} and not ${HAS_TASK}
    )
    update promises p set state = ${PROMISE_MOVES.forget.to}, words = '', said_words = null, crm_words = null, who = null, due_text = null, request = null, evidence = null, previous = null,
      reason = null, replaced_by = null, snoozed_until = null, moved_from = null, source_message_ids = '{}',
      undone_message_ids = '{}', is_doubtful = false, is_user_decided = false, changed_by = 'automatic', changed_at = ${scope.now}
    where p.user_id = ${scope.userId} and ${isTheirs(scope)} and ${HAS_TASK}
    returning p.id
  `.rows<{ id: string }>(trx);
  return rows.map(({ id }) => id);
}

/** Takes the digests' messages out of what other promises of the conversation quote, and deletes the questions in them. */
export async function forgetQuotes(trx: Db, scope: DeletionScope): Promise<void> {
  const restsOn = (evidence: Sql) =>
    sql`exists (select from jsonb_path_query(${evidence}, 'lax $.messageIds[*]') as message where ${isCovered(scope, sql`(message #>> '{}')`)})`;
  await sql`
    update promises p set
      evidence = case when ${restsOn(sql`p.evidence`)} then jsonb_set(p.evidence, '{words}', '""', false) else p.evidence end,
      previous = case when ${restsOn(sql`(p.previous -> 'evidence')`)}
        then jsonb_set(p.previous, '{evidence,words}', '""', false) else p.previous end
    where p.user_id = ${scope.userId} and p.dialog_id = ${scope.dialogId}
      and (${restsOn(sql`p.evidence`)} or ${restsOn(sql`(p.previous -> 'evidence')`)})
  `.rows(trx);
  await sql`
    delete from waiting_questions w
    where w.user_id = ${scope.userId} and w.dialog_id = ${scope.dialogId} and ${isCovered(scope, sql`w.message_id::text`)}
  `.rows(trx);
}

/** Deletes the digests. Returns how many of them had a text. */
export async function deleteDigests(trx: Db, { userId, digestIds }: DeletionScope): Promise<number> {
  const rows = await trx('digests')
    .where({ user_id: userId })
    .whereIn('id', digestIds)
    .delete()
    .returning<{ summary: string }[]>('summary');
  return rows.filter(({ summary }) => summary !== '').length;
}

const consequences = z.object({
  digests: z.number(),
  /** The records that are deleted with them. */
  promises: z.number(),
  /** Added or edited by the person, of the conversation. */
  ownPromises: z.number(),
  questions: z.number(),
  notes: z.number(),
  tasks: z.number(),
});
const consequencesRow = rowReader(consequences);
export type Consequences = z.output<typeof consequences>;

/** Counts affected and remaining records. */
export async function countConsequences(db: Db, scope: DeletionScope): Promise<Consequences> {
  const [counts] = await sql`
    with ${said(scope)}, theirs as (select id, words from promises p where p.user_id = ${scope.userId} and ${isTheirs(scope)})
    select
      (select count(*)::int from digests where user_id = ${scope.userId} and id = any(${scope.digestIds}::uuid[]) and summary <> '') as digests,
      (select count(*)::int from theirs where words <> '') as promises,
      (select count(*)::int from promises p where p.user_id = ${scope.userId} and p.dialog_id = ${scope.dialogId} and ${IS_OWN}
        and (${scope.isAll} or ${isSaidByDeleted(scope)})) as own_promises,
      (select count(*)::int from waiting_questions w where w.user_id = ${scope.userId} and w.dialog_id = ${scope.dialogId}
        and ${isCovered(scope, sql`w.message_id::text`)}) as questions,
      (select count(*)::int from outbox_notes where user_id = ${scope.userId} and digest_id = any(${scope.digestIds}::uuid[])
        and crm_id is not null) as notes,
      (select count(*)::int from outbox_tasks where user_id = ${scope.userId} and promise_id in (select id from theirs)
        and crm_id is not null) as tasks
  `.rows(db);
  return consequencesRow.parse(counts);
}
