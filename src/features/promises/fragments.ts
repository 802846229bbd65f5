import { ASKED_DAYS, KEPT_IN_WEEK, LIVE_STATES, WEEK_STATES } from './rules.ts';

const listOf = (states: readonly string[]) => states.map(state => `'${state}'`).join(', ');

/** Live `promises p`, in the words of the conditions of the indexes on open promises: in others, these are not used. */
export const LIVE = `p.state in (${listOf(LIVE_STATES)})`;

/** `:today` is the user's present day. Only snoozed promises have `snoozed_until`; an `or` would not use indexes. */
export const OPEN_TODAY = `${LIVE} and coalesce(p.snoozed_until, '-infinity') <= :today::date`;

export const PUT_OFF = `${LIVE} and p.snoozed_until > :today::date`;

/** Outside muted conversations, as Today shows and counts. */
export const UNMUTED = 'p.dialog_id not in (select id from dialogs where user_id = :userId and is_muted)';

export const DUE_OR_INFINITY = `coalesce(p.due_date, 'infinity')`;

/** The order of the indexes of open promises. */
export const BY_DUE = `${DUE_OR_INFINITY}, p.due_time, p.id`;

/** Whether the words of a row of `promises` are a person's own: no model's, and not what the user wrote over them. */
export const quoteCondition = (row: string) => `(${row}.said_by is not null and not 'words' = any(${row}.edited))`;

/** A promise in one line: its words, or for a quote that is unclear alone the words that it answers. */
const selectLine = (row: string) =>
  `case when ${quoteCondition(row)} then coalesce(${row}.request ->> 'words', ${row}.words) else ${row}.words end`;

/** A promise in one line for the CRM, in the language chosen for it. Words that the user wrote are not translated. */
export const selectCrmLine = (row: string) =>
  `coalesce(case when not 'words' = any(${row}.edited) then ${row}.crm_words end, ${selectLine(row)})`;

/** The columns of a promise, for statements on `promises p` and `dialogs`; `:today` is the user's present day. */
export const COLUMNS = `p.id, p.dialog_id, p.item_id, p.first_digest_id, p.last_digest_id,
  to_char(p.first_said_on, 'YYYY-MM-DD') as first_said_on, to_char(p.last_said_on, 'YYYY-MM-DD') as last_said_on,
  p.direction, p.who, p.words, case when ${quoteCondition('p')} then p.said_by end as said_by,
  case when ${quoteCondition('p')} then p.request end as request, to_char(p.due_date, 'YYYY-MM-DD') as due_date, p.due_time, p.due_text,
  p.kind, p.source_message_ids, p.is_added, p.edited, case when p.snoozed_until <= :today::date then 'open' else p.state end as state,
  to_char(p.snoozed_until, 'YYYY-MM-DD') as snoozed_until, to_char(p.moved_from, 'YYYY-MM-DD') as moved_from,
  case p.state when 'done' then coalesce(p.reason, 'kept') when 'cancelled' then coalesce(p.reason, 'cancelled') end as reason,
  p.replaced_by, (select ${selectLine('other')} from promises other where other.id = p.replaced_by) as replaced_by_words, p.changed_by, p.changed_at, p.evidence, p.is_doubtful, p.needs_confirmation, p.previous is not null as can_undo, p.previous ->> 'undoes' as undoes,
  dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone`;

/** The messages that `promises p` rests on, without their words, as far as its digests keep them. */
export const SOURCES = `select jsonb_agg(message order by message ->> 'sentAt')
  from digests said cross join lateral jsonb_path_query(said.sources, 'lax $.messages[*]') as message
  where said.id in (p.first_digest_id, p.last_digest_id) and message ->> 'id' = any(p.source_message_ids)`;

/** Adds sources and the CRM task, for pages. */
export const SOURCED_COLUMNS = `${COLUMNS}, p.quoted_at, dialogs.peer_kind, dialogs.peer_key, (${SOURCES}) as sources, exists (
    select from outbox_tasks where promise_id = p.id and user_id = p.user_id and crm_id is not null) as has_task`;

export const MINE = `p.direction = 'mine'`;

export const THEIRS = `p.direction = 'theirs'`;

/**
 * Past its day, or its hour on it, as {@link isPastDue} decides for one with an owner. `:timeOfDay` is the user's, HH:MM.
 * Appointments and deadlines never are: they are closed after their day. Day and hour are compared as one row, so that
 * the index on both is used.
 */
export const PAST_DUE = `p.kind = 'promise' and (${DUE_OR_INFINITY}, p.due_time) < (:today::date, :timeOfDay::text)`;

/** Promises that may be settled are not overdue: the user is asked about them. */
export const OVERDUE = `${PAST_DUE} and not p.needs_confirmation`;

/** Shared appointments, and deadlines without an owner, are on the user's days, too. They are few and have an index. */
export const SHARED_DATE = `p.kind <> 'promise' and (p.direction = 'unassigned' or p.direction = 'theirs' and p.kind = 'appointment')`;

/** Promises past due, and what is due today if messages seem to have settled it, unless it is shared: the user is asked. */
export const MAYBE_SETTLED_DUE = `p.needs_confirmation and ${DUE_OR_INFINITY} <= :today::date
  and (p.kind = 'promise' and ${DUE_OR_INFINITY} < :today::date
    or p.is_doubtful and ${DUE_OR_INFINITY} = :today::date and not (${SHARED_DATE}))`;

/** For Today and mails. The list of promises has all. */
export const MAYBE_SETTLED_DUE_RECENTLY = `${MAYBE_SETTLED_DUE} and ${DUE_OR_INFINITY} >= :today::date - ${ASKED_DAYS}`;

/** Excludes promises that messages seem to have settled. */
export const NOT_DOUBTED = 'not (p.needs_confirmation and p.is_doubtful)';

/** Due on the present day, and neither overdue nor perhaps done. Unconfirmed quotes stay until the day is over. */
export const DUE_TODAY = `${DUE_OR_INFINITY} = :today::date and (${NOT_DOUBTED} or ${SHARED_DATE})
  and (p.kind <> 'promise' or p.needs_confirmation or p.due_time is null or p.due_time >= :timeOfDay)`;

/** The user's own promises, and what else is on their days: each in the order of an index. */
export const ON_USER_CALENDAR = [MINE, SHARED_DATE] as const;

/**
 * Undated promises of conversations whose newest digest says that the other side can't wait, unless for something with a
 * day or hour. Excludes those that may be settled.
 */
export const URGENT = `p.due_date is null and not p.is_doubtful and p.last_digest_id in (
  select id from digests d where user_id = :userId and digest_date in (:today::date, :today::date - 1) and is_urgent
    and not exists (select from digests newer where newer.dialog_id = d.dialog_id and newer.user_id = :userId
      and newer.digest_date > d.digest_date and newer.summary <> '')
    and not exists (select from promises dated where dated.user_id = :userId and dated.last_digest_id = d.id
      and dated.direction = 'mine'
      and (dated.due_date <= :today::date + 1 or dated.due_date is null and dated.due_text is not null)))`;

/** A list of promises `p`: several ranges, each read in the order of an index, are a list by day and hour. */
export type ListQuery = { list: string; ranges: readonly string[]; where: string; order: string };

/**
 * Selects `list`, `id` and `place` of each list's promises, so that columns with many subqueries are joined and planned
 * once. An `or` between ranges would sort all rows.
 * @param page.most limit per range, at least that of the page
 */
export function selectListIds(lists: ListQuery[], page: { most: string; slice: string }): string {
  const selected = ({ list, ranges, where, order }: ListQuery) => {
    const rowsOf = (range: string) =>
      `(select p.* from promises p where p.user_id = :userId and ${range} and ${where} order by ${order} limit ${page.most})`;
    const rows = ranges.map(rowsOf).join(' union all ');
    return `(select '${list}' as list, p.id, row_number() over (order by ${order}) as place from (${rows}) as p order by place ${page.slice})`;
  };
  return lists.map(selected).join(' union all ');
}

export const COUNTS_IN_WEEK = `p.state in (${listOf(WEEK_STATES)}) and p.words <> ''`;

export const OWED = `p.kind = '${KEPT_IN_WEEK.kind}'`;
export const KEPT = `p.state = '${KEPT_IN_WEEK.state}' and ${OWED}`;
