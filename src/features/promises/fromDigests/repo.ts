import type { ItemLeftOpen } from '../../../clients/summarizer/types.ts';
import type { Db } from '../../../lib/db.ts';
import { asJson } from '../../../lib/rows.ts';
import { isQuote, LIVE, SOURCES } from '../fragments.ts';
import { lockViews, OWNER, PEOPLE, PREVIOUS, PREVIOUS_AND_DUE } from '../repo.ts';
import { CLOSING_MOVES, MOVES } from '../rules.ts';
import { isDated } from './rules.ts';
import {
  type Answer,
  type Closing,
  itemLeftOpenRow,
  type KnownPromise,
  knownPromiseRow,
  type OpenPromiseRow,
  openPromiseRow,
} from './schema.ts';

type Rows = { rows: unknown[] };
type Owner = { userId: string };
type OfDialogs = Owner & { dialogIds: readonly string[] };

/**
 * Locks the promises of these conversations for this transaction, in a fixed order, so that two never deadlock, and what
 * the person has been shown: a page that is about to show more of them waits for what is written about them.
 */
export async function lockPromisesOf(db: Db, { userId, dialogIds }: OfDialogs): Promise<void> {
  await lockViews(db, { userId });
  await db('dialogs').where({ user_id: userId }).whereIn('id', dialogIds).orderBy('id').forNoKeyUpdate().select('id');
}

/** Of `promises p`: what messages are compared with, in their language unless its person wrote it. */
const WORDS = `case when 'words' = any(p.edited) then p.words else coalesce(p.said_words, p.words) end`;
const IS_GROUP = `(select peer_type <> 'user' from dialogs where id = p.dialog_id and user_id = :userId)`;
const SOURCES_IN_GROUP = `case when ${IS_GROUP} then (${SOURCES}) end`;

/** How many of a conversation's promises are compared with a new digest at most; open ones come first. */
const MOST_KNOWN = 100;

/** By conversation. */
export async function listKnownPromises(
  db: Db,
  { userId, dialogIds }: OfDialogs,
): Promise<Map<string, KnownPromise[]>> {
  const { rows } = await db.raw<Rows>(
    `
    select known.* from unnest(:dialogIds::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, item_id, direction, who, ${WORDS} as words, p.words as shown_words, to_char(due_date, 'YYYY-MM-DD') as due_date, source_message_ids,
        request, 'side' = any(edited) as is_side_edited, ${LIVE} as is_open, ${SOURCES_IN_GROUP} as sources
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = :userId
      order by ${LIVE} desc, last_said_on desc, item_id limit ${MOST_KNOWN}
    ) as known
    `,
    { userId, dialogIds },
  );
  return Map.groupBy(
    rows.map(row => knownPromiseRow.parse(row)),
    ({ dialogId }) => dialogId,
  );
}

/** A day as it was written; one that doesn't exist, such as 30 February, is counted on from the first of the month. */
const SAID_DUE = String.raw`case when item ->> 'dueDate' ~ '^[12]\d{3}-(0[1-9]|1[0-2])-[0-3]\d$'
  then (left(item ->> 'dueDate', 7) || '-01')::date + right(item ->> 'dueDate', 2)::int - 1 end`;
const SAID_KIND = `case when item ->> 'kind' in ('appointment', 'deadline') then item ->> 'kind' else 'promise' end`;
/**
 * A digest with exchanges was written without a model: its items are the words of their last message. A person whose
 * message was not kept has no name.
 */
const SAID_BY = `case when d.structured -> 'exchanges' is not null then coalesce(
  (select jsonb_build_object('who', message -> 'sender', 'fromUser', message -> 'fromUser')
    from jsonb_path_query(d.sources, 'lax $.messages[*]') as message
    where message ->> 'id' = item -> 'sourceMessageIds' ->> -1 limit 1),
  '{"who": "", "fromUser": false}') end`;
/** A promise gains source messages with each day that says it again. */
const MOST_SOURCES = 40;
/**
 * A reading that finds no day takes none away. After a move, a rewrite changes nothing, nor does a later day that only
 * repeats the day before the move.
 */
const KEEPS_DUE = `p.is_touched or 'due' = any(p.edited) or excluded.due_date is null
  or (p.moved_from is not null
    and (p.last_digest_id is not distinct from excluded.last_digest_id or excluded.due_date = p.moved_from))`;

/** On a long day, a digest reads only the newest messages: it says nothing about promises that rest on earlier ones. */
const IS_OUT_OF_REACH = String.raw`exists (
  select from unnest(p.source_message_ids) as source join digests read on read.id = p.last_digest_id
  where case when source ~ '^\d{1,18}$' then source::bigint <= read.after_message_id else false end)`;

/** What was listed to its person, on a page, in an email or as a task in the CRM, never disappears. */
const WAS_SHOWN = `(p.number <= (select shown from promise_views where user_id = :userId)
  or exists (select from outbox_tasks where promise_id = p.id and user_id = :userId and crm_id is not null))`;
/** By the rewrite of a digest that said it before: that may change what was not shown yet. */
const IS_REWRITTEN = `p.last_digest_id is not distinct from excluded.last_digest_id and ${WAS_SHOWN}`;
const KEEPS_WORDS = `'words' = any(p.edited) or (${IS_REWRITTEN} and p.words <> '')`;
const KEEPS_SIDE = `'side' = any(p.edited) or (${IS_REWRITTEN} and p.direction <> 'unassigned')`;

/**
 * Brings the promises of these digests up to date with their items, in one statement. A promise that no digest says any
 * more stays open once it was shown to its person, and is withdrawn before; one that an earlier digest also says stays.
 * Its words are those of the newest digest that said it; a rewrite of that digest leaves them.
 */
export async function recordPromises(
  db: Db,
  { userId, digestIds, now }: Owner & { digestIds: readonly string[]; now: Date },
): Promise<void> {
  await db.raw(
    `
    with said as (
      select distinct on (d.dialog_id, item ->> 'id') d.user_id, d.dialog_id, item ->> 'id' as item_id, item,
        d.id as digest_id, d.digest_date, d.engine = 'built-in' as is_quoted, ${SAID_BY} as said_by, coalesce(d.structured -> 'writtenIn', d.structured -> 'inCrm') is not null as is_translated
      from digests d cross join lateral jsonb_path_query(d.structured, 'lax $.actionItems[*]') as item
      where d.user_id = :userId and d.id = any(:digestIds::uuid[]) and item ->> 'id' is not null
      order by d.dialog_id, item ->> 'id', d.digest_date desc
    ), gone as (
      update promises p set last_digest_id = p.first_digest_id, last_said_on = p.first_said_on,
        state = case when p.first_digest_id = p.last_digest_id then '${MOVES.withdraw.to}' else p.state end,
        is_doubtful = p.is_doubtful and p.first_digest_id is distinct from p.last_digest_id,
        changed_at = case when p.first_digest_id = p.last_digest_id then :now::timestamptz else p.changed_at end,
        previous = case when p.first_digest_id = p.last_digest_id then ${PREVIOUS} else p.previous end
      where p.user_id = :userId and p.last_digest_id = any(:digestIds::uuid[]) and p.state = any(:withdrawable)
        and not p.is_touched and not p.is_added and p.edited = '{}'
        and not exists (select from said where said.dialog_id = p.dialog_id and said.item_id = p.item_id)
        and not (p.first_digest_id = p.last_digest_id and (${IS_OUT_OF_REACH} or ${WAS_SHOWN}))
    )
    insert into promises as p (user_id, dialog_id, item_id, first_digest_id, last_digest_id, first_said_on, last_said_on,
      direction, who, words, said_words, crm_words, due_date, due_time, due_text, source_message_ids, said_by, request,
      kind, changed_at, quoted_at)
    select user_id, dialog_id, item_id, digest_id, digest_id, digest_date, digest_date,
      case item ->> 'owner' when 'user' then 'mine' when 'contact' then 'theirs' else 'unassigned' end,
      item ->> 'ownerName', coalesce(item ->> 'text', ''), item ->> 'textInChat',
      case when is_translated then coalesce(item ->> 'textInCrm', item ->> 'text') end, ${SAID_DUE}, item ->> 'dueTime', item ->> 'dueText', array(select id #>> '{}' from jsonb_path_query(item, 'lax $.sourceMessageIds[*]') as id where id <> 'null'),
      said_by, item -> 'request', ${SAID_KIND}, :now::timestamptz, case when is_quoted then :now::timestamptz end
    from said
    on conflict (dialog_id, item_id) do update set
      last_digest_id = excluded.last_digest_id, last_said_on = excluded.last_said_on,
      direction = case when ${KEEPS_SIDE} then p.direction else excluded.direction end,
      who = case when ${KEEPS_SIDE} then p.who else excluded.who end,
      words = case when ${KEEPS_WORDS} then p.words else excluded.words end,
      said_words = case when ${KEEPS_WORDS} then p.said_words else excluded.said_words end,
      crm_words = case when p.crm_words is null then excluded.crm_words else coalesce(excluded.crm_words, excluded.words) end,
      said_by = case when ${KEEPS_WORDS} then p.said_by else excluded.said_by end,
      kind = case when 'kind' = any(p.edited) or ${IS_REWRITTEN} then p.kind else excluded.kind end,
      request = coalesce(p.request, excluded.request), quoted_at = coalesce(p.quoted_at, excluded.quoted_at),
      due_date = case when ${KEEPS_DUE} then p.due_date else excluded.due_date end,
      due_time = case when ${KEEPS_DUE} then p.due_time when excluded.due_date = p.due_date then coalesce(excluded.due_time, p.due_time) else excluded.due_time end,
      due_text = case when ${KEEPS_DUE} then p.due_text else excluded.due_text end,
      moved_from = case when not (${KEEPS_DUE}) and excluded.due_date <> p.due_date and ${WAS_SHOWN} then p.due_date else p.moved_from end,
      source_message_ids = array(select distinct unnest(p.source_message_ids || excluded.source_message_ids) order by 1 limit ${MOST_SOURCES}),
      state = case p.state when '${MOVES.comeBack.from[0]}' then '${MOVES.comeBack.to}' else p.state end,
      previous = case p.state when '${MOVES.withdraw.to}' then null else p.previous end
    where p.user_id = excluded.user_id and (p.last_said_on <= excluded.last_said_on or p.words = '')
    `,
    { userId, digestIds, now, withdrawable: [...MOVES.withdraw.from] },
  );
}

/** The messenger counts messages up; an id that is no number is no one's last. */
const lastMessageOf = (promise: string) => String.raw`(select max(id::bigint)
  from unnest(${promise}.source_message_ids) as id where id ~ '^\d{1,18}$')`;

/**
 * Promises that these digests said, that were shown, and that their rewrite no longer says, where it is known why: the
 * request that they answer is taken on by a later message, or they are questions that the user answered. Everything else
 * stays open. A closing that the person undid is not repeated.
 */
export async function closeLeftOut(
  db: Db,
  { userId, digestIds, now }: Owner & { digestIds: readonly string[]; now: Date },
  answers: readonly Answer[],
): Promise<void> {
  await db.raw(
    `
    with said as (
      select d.dialog_id, item ->> 'id' as item_id from digests d cross join lateral jsonb_path_query(d.structured, 'lax $.actionItems[*]') as item
      where d.user_id = :userId and d.id = any(:digestIds::uuid[])
    ), answers as (
      select * from jsonb_to_recordset(:answers::jsonb) as a ("dialogId" uuid, "questionId" text, evidence jsonb)
    ), left_out as materialized (
      select p.* from promises p
      where p.user_id = :userId and p.last_digest_id = any(:digestIds::uuid[]) and p.state = any(:from)
        and not p.is_touched and not p.is_added and p.edited = '{}' and not (${IS_OUT_OF_REACH})
        and not exists (select from said where said.dialog_id = p.dialog_id and said.item_id = p.item_id)
    ), replaced as (
      select distinct on (p.id) p.id, '${MOVES.callOff.to}' as state, 'replaced' as reason, other.id as replaced_by,
        jsonb_build_object('who', coalesce(other.who, ''), 'when', to_json(:now::timestamptz), 'words', '',
          'messageIds', to_jsonb(other.source_message_ids)) as evidence
      from left_out p join promises other on other.dialog_id = p.dialog_id and other.user_id = :userId and other.id <> p.id
        and other.last_digest_id = p.last_digest_id and other.state = 'open' and other.number > p.number
        and p.request ->> 'messageId' = any(other.source_message_ids)
      where exists (select from said where said.dialog_id = other.dialog_id and said.item_id = other.item_id)
        and ${lastMessageOf('other')} > ${lastMessageOf('p')}
        and not p.undone_message_ids && other.source_message_ids
      order by p.id, other.last_said_on desc, other.id
    ), answered as (
      select distinct on (p.id) p.id, '${MOVES.keep.to}' as state, 'answered' as reason, null::uuid as replaced_by, a.evidence
      from left_out p join answers a on a."dialogId" = p.dialog_id and a."questionId" = any(p.source_message_ids)
      where p.direction = 'mine'
        and p.source_message_ids <@ array(select "questionId" from answers where "dialogId" = p.dialog_id)
        and not p.undone_message_ids && array(select jsonb_array_elements_text(a.evidence -> 'messageIds'))
      order by p.id, a."questionId"::bigint desc
    ), closed as (select * from replaced union all select * from answered where id not in (select id from replaced))
    update promises p set state = closed.state, reason = closed.reason, replaced_by = closed.replaced_by,
      evidence = closed.evidence, is_doubtful = false, changed_by = 'automatic', changed_at = :now, previous = ${PREVIOUS}
    from closed where p.id = closed.id and p.user_id = :userId
    `,
    { userId, digestIds, now, answers: asJson(answers), from: [...MOVES.keep.from] },
  );
}

/** Only this many of a conversation's newest open items are given to whoever writes its next digest. */
const MOST_LEFT_OPEN = 12;

/** What earlier digests of these conversations left to do, by conversation, newest first. */
export async function listItemsLeftOpen(
  db: Db,
  { userId, dialogIds, before }: Owner & { dialogIds: string[]; before: string },
): Promise<Map<string, ItemLeftOpen[]>> {
  if (dialogIds.length === 0) return new Map();
  const { rows } = await db.raw<Rows>(
    `
    select newest.* from unnest(:dialogIds::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, ${WORDS} as text, ${OWNER} as owner, who as owner_name,
        to_char(due_date, 'YYYY-MM-DD') as due_date, to_char(first_said_on, 'YYYY-MM-DD') as since, quoted_at
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = :userId and ${LIVE}
        and first_said_on < :before::date
      order by last_said_on desc, item_id limit ${MOST_LEFT_OPEN}
    ) as newest
    `,
    { userId, dialogIds, before },
  );
  const items = rows.map(row => itemLeftOpenRow.parse(row));
  const byDialog = Map.groupBy(items, ({ dialogId }) => dialogId);
  return new Map([...byDialog].map(([dialogId, of]) => [dialogId, of.map(({ item }) => item)]));
}

/** Only this many of a conversation's newest open promises are checked against its messages. */
const MOST_OPEN = 40;

/** What is open between the user and each of these conversations, newest first; in groups with who said it and who was there. */
export async function listOpenPromises(
  db: Db,
  { userId, dialogIds }: OfDialogs,
): Promise<Map<string, OpenPromiseRow[]>> {
  if (dialogIds.length === 0) return new Map();
  const { rows } = await db.raw<Rows>(
    `
    select newest.* from unnest(:dialogIds::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, id as promise_id, item_id, direction, who, ${WORDS} as text, to_char(due_date, 'YYYY-MM-DD') as due_date,
        to_char(first_said_on, 'YYYY-MM-DD') as said_at, source_message_ids, request, quoted_at, is_doubtful,
        case when ${isQuote('p')} then (said_by -> 'fromUser')::boolean end as is_users_words,
        ${SOURCES_IN_GROUP} as sources, case when ${IS_GROUP} then (${PEOPLE}) end as people
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = :userId and p.state = any(:from)
      order by last_said_on desc, item_id limit ${MOST_OPEN}
    ) as newest
    `,
    { userId, dialogIds, from: [...MOVES.keep.from] },
  );
  const byDialog = Map.groupBy(
    rows.map(row => openPromiseRow.parse(row)),
    ({ dialogId }) => dialogId,
  );
  return new Map([...byDialog].map(([dialogId, of]) => [dialogId, of.map(({ promise }) => promise)]));
}

const IS_ASKED_AGAIN = `(p.is_doubtful and c.state = 'doubtful')`;
/** A question shows the newest message, and one undo takes it back, whatever messages it rested on. */
const NOW_PREVIOUS = `case when ${IS_ASKED_AGAIN} then p.previous else ${PREVIOUS_AND_DUE} end`;
/** The newest 50 of its messages. */
const EVIDENCE = `case when ${IS_ASKED_AGAIN} then jsonb_set(c.evidence, '{messageIds}', jsonb_path_query_array(
  (p.evidence -> 'messageIds') || (c.evidence -> 'messageIds'), 'lax $[last - 49 to last]')) else c.evidence end`;

/**
 * Closes or moves promises on the evidence of messages, in one statement. Promises that the person decided about stay,
 * and a closing that they undid is not concluded from the same messages again. Returns the ids of changed promises.
 */
export async function applyClosings(
  db: Db,
  { userId, dialogId, now }: Owner & { dialogId: string; now: Date },
  closings: readonly Closing[],
): Promise<Set<string>> {
  const dated = closings.filter(isDated).map(closing => ({ ...closing, to: MOVES[CLOSING_MOVES[closing.state]].to }));
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `
    update promises p set is_doubtful = c.state = 'doubtful', replaced_by = null, previous = ${NOW_PREVIOUS},
      state = c.to,
      reason = case when c.state = 'handedOver' then 'handedOver' when c.state = 'done' and c."isAnswered" then 'answered' end,
      changed_by = 'automatic', changed_at = :now, evidence = ${EVIDENCE},
      moved_from = case c.state when 'moved' then p.due_date else p.moved_from end,
      due_time = case c.state when 'moved' then null else p.due_time end,
      due_date = case c.state when 'moved' then c."newDueDate" else p.due_date end
    from jsonb_to_recordset(:closings::jsonb) as c ("promiseId" uuid, state text, "to" text, "newDueDate" date, "isAnswered" boolean, evidence jsonb)
    where p.user_id = :userId and p.dialog_id = :dialogId and p.id = c."promiseId" and p.state = any(:from)
      and not p.is_touched and not (c.state = 'moved' and 'due' = any(p.edited)) and not (${IS_ASKED_AGAIN} and c.evidence ->> 'when' <= p.evidence ->> 'when') and not p.undone_message_ids &&
        array(select id #>> '{}' from jsonb_path_query(c.evidence, 'lax $.messageIds[*]') as id)
    returning p.id
    `,
    { userId, dialogId, now, closings: asJson(dated), from: [...MOVES.keep.from] },
  );
  return new Set(rows.map(({ id }) => id));
}
