import { type Db, toStorableJson, type UserKey } from '../../../lib/db.ts';
import { NO_SQL, type Sql, sql } from '../../../lib/sql.ts';
import { matchWords } from '../../digests/fragments.ts';
import { urgent } from '../fragments.ts';
import { TRANSITIONS } from '../rules.ts';
import { type QuestionsOfMessages, type Wait, waitRow } from './schema.ts';

/**
 * Updates waiting questions from new messages in one statement: stores new ones, deletes answered ones. Dismissed ones stay
 * dismissed when read again.
 */
export async function recordWaits(db: Db, { userId }: UserKey, questions: readonly QuestionsOfMessages[]): Promise<void> {
  if (questions.length === 0) return;
  await sql`
    with read as (
      select r.* from jsonb_to_recordset(${toStorableJson(questions)}::jsonb)
        as r ("dialogId" uuid, "firstMessageId" bigint, "settledBy" bigint, replies jsonb, questions jsonb)
    ), new_questions as (
      select dialogs.id as dialog_id, q.* from read join dialogs on dialogs.id = read."dialogId" and dialogs.user_id = ${userId}
      cross join jsonb_to_recordset(read.questions) as q ("messageId" bigint, "askedAt" timestamptz, words text)
    ), answered as (
      delete from waiting_questions w using read
      where w.user_id = ${userId} and w.dialog_id = read."dialogId" and w.dialog_id = any(${questions.map(({ dialogId }) => dialogId)}::uuid[])
        and (w.message_id < read."settledBy" or w.message_id >= read."firstMessageId" or exists (
          select from jsonb_to_recordset(read.replies) as reply ("to" bigint, "by" text)
          where reply."to" = w.message_id and not exists (select from digests d
            cross join lateral jsonb_path_query(d.sources, 'lax $.messages[*]') as source
            where d.user_id = ${userId} and d.dialog_id = w.dialog_id and source ->> 'id' = w.message_id::text
              and reply."by" in (source ->> 'senderId', source ->> 'sender'))))
        and not exists (select from new_questions q where q.dialog_id = w.dialog_id and q."messageId" = w.message_id)
    )
    insert into waiting_questions as w (dialog_id, message_id, user_id, asked_at, words)
    select dialog_id, "messageId", ${userId}, "askedAt", words from new_questions
    on conflict (dialog_id, message_id) do update set words = excluded.words
    where w.user_id = excluded.user_id and w.words <> excluded.words
  `.rows(db);
}

/**
 * A promise of the user that rests on the same message already covers the question: it is shown on its day or as
 * urgent, or is settled or put off. A promise without a day is on no list of Today, so whoever asked would wait unseen.
 */
const isPromised = ({ userId, today }: UserKey & { today: string }) => sql`exists (
  select from promises p where p.dialog_id = w.dialog_id and p.user_id = ${userId} and p.direction = 'mine'
    and p.state <> ${TRANSITIONS.withdraw.to} and w.message_id::text = any(p.source_message_ids)
    and (p.state <> 'open' or p.due_date is not null or ${urgent({ userId, today })}))`;

/** As `messenger/dialogs/rules.ts` decides, in SQL: no sync would settle the questions of a conversation that isn't read. */
const isTracked = ({ userId }: UserKey) => sql`coalesce(dialogs.tracking_choice, dialogs.peer_type = 'user' or exists (
  select from sync_configs where user_id = ${userId} and include_groups))`;

type WaitFilter = UserKey & {
  /** Questions asked later don't count as waiting yet. */
  before: Date;
  /** The user's present day, YYYY-MM-DD. */
  today: string;
  /** Only this conversation. */
  dialogId?: string | undefined;
  /** Only these. */
  among?: readonly string[] | undefined;
  /** All must occur in the question or the conversation's name; folded by `foldWords`. */
  words?: readonly string[] | undefined;
  limit: number;
  offset: number;
};

/** Conversations in which someone waits for the user, longest first, and their count; none muted or no longer read. */
export async function listWaits(db: Db, filter: WaitFilter): Promise<{ count: number; waits: Wait[] }> {
  const { userId, before, dialogId, among, words, limit, offset } = filter;
  const searched = {
    userId,
    text: sql`array_to_tsvector(search_words(w.words))`,
    isIndexed: false,
    dialog: sql`w.dialog_id`,
  };
  const rows = await sql`
    with waiting as materialized (
      select w.dialog_id, min(w.message_id) as message_id, max(w.message_id) as last_message_id
      from waiting_questions w join dialogs on dialogs.id = w.dialog_id
      join messenger_accounts on messenger_accounts.id = dialogs.account_id
      where w.user_id = ${userId} and w.asked_at <= ${before} and w.dismissed_at is null and not ${isPromised(filter)}
        and messenger_accounts.status <> 'inactive' and dialogs.unreadable is null
        and ${isTracked(filter)} and not dialogs.is_muted
        ${dialogId ? sql`and w.dialog_id = ${dialogId}` : NO_SQL}
        ${among ? sql`and w.dialog_id = any(${among}::uuid[])` : NO_SQL}
        ${words ? sql`and ${matchWords(words, searched)}` : NO_SQL}
      group by w.dialog_id
    ), shown as (
      select waiting.*, w.asked_at, w.words, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone,
        dialogs.peer_kind, dialogs.peer_key
      from waiting join waiting_questions w using (dialog_id, message_id) join dialogs on dialogs.id = dialog_id
      order by w.asked_at, dialog_id limit ${limit} offset ${offset}
    )
    select (select count(*)::int from waiting) as count, shown.* from (select) as always left join shown on true
    order by shown.asked_at, shown.dialog_id
  `.rows<{ count: number; dialog_id: string | null }>(db);
  const waits = rows.filter(({ dialog_id }) => dialog_id !== null).map(row => waitRow.parse(row));
  return { count: rows[0]?.count ?? 0, waits };
}

type DialogOfUser = UserKey & { dialogId: string };
/** The conversation's name, and how many of its questions were changed. */
export type ChangedQuestions = { peerName: string; peerUsername: string; peerPhone: string; changed: number };

/** Dismisses questions; undefined for an unknown conversation and another user's. @param change.upTo last message id; default: all */
export async function dismissQuestions(
  db: Db,
  { upTo, now, ...dialog }: DialogOfUser & { upTo: string | undefined; now: Date },
): Promise<ChangedQuestions | undefined> {
  const which = upTo === undefined ? NO_SQL : sql`and w.message_id <= ${upTo}::bigint`;
  return updateQuestions(db, dialog, { dismissedAt: now, where: sql`w.dismissed_at is null ${which}` });
}

/** Undoes the last dismissal. Undefined for an unknown conversation and for another user's. */
export async function restoreQuestions(db: Db, dialog: DialogOfUser): Promise<ChangedQuestions | undefined> {
  const last = sql`select max(dismissed_at) from waiting_questions where dialog_id = named.id and user_id = ${dialog.userId}`;
  return updateQuestions(db, dialog, { dismissedAt: null, where: sql`w.dismissed_at = (${last})` });
}

async function updateQuestions(
  db: Db,
  { userId, dialogId }: DialogOfUser,
  { dismissedAt, where }: { dismissedAt: Date | null; where: Sql },
): Promise<ChangedQuestions | undefined> {
  const [changed] = await sql`
    with named as (
      select id, peer_name as "peerName", peer_username as "peerUsername", peer_phone as "peerPhone"
      from dialogs where id = ${dialogId} and user_id = ${userId}
    ), changed as (
      update waiting_questions w set dismissed_at = ${dismissedAt}::timestamptz from named
      where w.dialog_id = named.id and w.user_id = ${userId} and ${where} returning w.message_id
    )
    select named.*, (select count(*)::int from changed) as changed from named
  `.rows<ChangedQuestions>(db);
  return changed;
}
