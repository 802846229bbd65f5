import type { UserKey } from '../../lib/db.ts';
import { joinSql, rawSql, type Sql, sql } from '../../lib/sql.ts';
import { ASKED_DAYS, KEPT_IN_WEEK, LIVE_STATES, SETTLED_STATES, WEEK_STATES } from './rules.ts';
import { STANDINGS, type Standing } from './schema.ts';

/* Conditions and columns of `promises p`. What needs the user's present day takes it, so that no statement forgets it. */

/** The user's present day and time, as values or as SQL. */
type Moment = { today: string | Sql; timeOfDay: string | Sql };
type Day = Pick<Moment, 'today'>;

const inState = (states: readonly string[]) => rawSql(`p.state in (${states.map(state => `'${state}'`).join(', ')})`);

/** Worded exactly like the conditions of the indexes on open promises: Postgres doesn't use these for another wording. */
export const LIVE = inState(LIVE_STATES);

export const SETTLED = inState(SETTLED_STATES);

/** Open promises, and put-off ones whose day has come. Only those have `snoozed_until`; an `or` would not use the indexes. */
export const openOn = ({ today }: Day) => sql`${LIVE} and coalesce(p.snoozed_until, '-infinity') <= ${today}::date`;

export const putOff = ({ today }: Day) => sql`${LIVE} and p.snoozed_until > ${today}::date`;

/** Excludes muted conversations, which Today neither shows nor counts. */
export const unmuted = ({ userId }: UserKey) =>
  sql`p.dialog_id not in (select id from dialogs where user_id = ${userId} and is_muted)`;

export const DUE_OR_INFINITY = sql`coalesce(p.due_date, 'infinity')`;

/** The order of the indexes of open promises. */
export const BY_DUE = sql`${DUE_OR_INFINITY}, p.due_time, p.id`;

/** Whether the words of a row of `promises` are a person's own: no model's, and not what the user wrote over them. */
export const quoteCondition = (row: string) => rawSql(`(${row}.said_by is not null and not 'words' = any(${row}.edited))`);

/** A promise in one line: its words, or for a quote that is unclear alone the words that it answers. */
const selectLine = (row: string) =>
  rawSql(`case when ${quoteCondition(row)} then coalesce(${row}.request ->> 'words', ${row}.words) else ${row}.words end`);

/** A promise in one line for the CRM, in the language chosen for it. Words that the user wrote are not translated. */
export const selectCrmLine = (row: string) =>
  rawSql(`coalesce(case when not 'words' = any(${row}.edited) then ${row}.crm_words end, ${selectLine(row)})`);

export const MINE = sql`p.direction = 'mine'`;

export const THEIRS = sql`p.direction = 'theirs'`;

/** Shared appointments, and deadlines without an owner, are on the user's days, too. They are few and have an index. */
export const SHARED_DATE = sql`p.kind <> 'promise' and (p.direction = 'unassigned' or p.direction = 'theirs' and p.kind = 'appointment')`;

/** Past its day, or its hour on it. Day and hour are compared as one row, so that the index on both is used. */
const pastDue = ({ today, timeOfDay }: Moment) =>
  sql`p.kind = 'promise' and (${DUE_OR_INFINITY}, p.due_time) < (${today}::date, ${timeOfDay}::text)`;

/** Doubtful, and the user's or theirs: without an owner nothing `needs_confirmation`. */
const IN_DOUBT = sql`p.needs_confirmation and p.is_doubtful`;

/**
 * Where an open promise stands; each list selects by it, by a range of days that an index has. An unconfirmed quote, which
 * needs confirmation, too, is perhaps settled once its day is over. What is in doubt and due later stands nowhere.
 */
const STANDS: Record<Standing, (moment: Moment) => Sql> = {
  overdue: moment => sql`${pastDue(moment)} and not p.needs_confirmation`,
  perhapsSettled: ({ today }) => sql`p.needs_confirmation and ${DUE_OR_INFINITY} <= ${today}::date
    and (p.kind = 'promise' and ${DUE_OR_INFINITY} < ${today}::date
      or p.is_doubtful and ${DUE_OR_INFINITY} = ${today}::date and not (${SHARED_DATE}))`,
  dueToday: ({ today, timeOfDay }) => sql`${DUE_OR_INFINITY} = ${today}::date and (not (${IN_DOUBT}) or ${SHARED_DATE})
    and (p.kind <> 'promise' or p.needs_confirmation or p.due_time is null or p.due_time >= ${timeOfDay})`,
  past: ({ today }) => sql`p.kind <> 'promise' and ${DUE_OR_INFINITY} < ${today}::date`,
  notYetDue: ({ today }) => sql`${DUE_OR_INFINITY} > ${today}::date and not (${IN_DOUBT})`,
};

export const stands = (as: Standing, moment: Moment): Sql => STANDS[as](moment);

const standing = (moment: Moment) =>
  sql`case ${joinSql(
    STANDINGS.map(as => sql`when ${stands(as, moment)} then ${rawSql(`'${as}'`)}`),
    ' ',
  )} end`;

/** Of the perhaps settled, those that Today and mails ask about; the list of promises asks about all. */
export const askedAbout = (moment: Moment) =>
  sql`${stands('perhapsSettled', moment)} and ${DUE_OR_INFINITY} >= ${moment.today}::date - ${ASKED_DAYS}`;

/** What others owe past its day or hour, unless in doubt; also unconfirmed quotes, asked about only if the user's own. */
export const owedToUser = (moment: Moment) => sql`${THEIRS} and ${pastDue(moment)} and not p.is_doubtful`;

/** The columns of a promise, for statements that join `dialogs`. One that no one is named for is never past due. */
export const selectColumns = (moment: Moment) => sql`p.id, p.dialog_id, p.item_id, p.first_digest_id, p.last_digest_id,
  to_char(p.first_said_on, 'YYYY-MM-DD') as first_said_on, to_char(p.last_said_on, 'YYYY-MM-DD') as last_said_on,
  p.direction, p.who, p.words, case when ${quoteCondition('p')} then p.said_by end as said_by,
  case when ${quoteCondition('p')} then p.request end as request, to_char(p.due_date, 'YYYY-MM-DD') as due_date, p.due_time, p.due_text,
  p.kind, p.source_message_ids, p.is_added, p.edited,
  case when p.snoozed_until <= ${moment.today}::date then 'open' else p.state end as state,
  to_char(p.snoozed_until, 'YYYY-MM-DD') as snoozed_until, to_char(p.moved_from, 'YYYY-MM-DD') as moved_from,
  case p.state when 'done' then coalesce(p.reason, 'kept') when 'cancelled' then coalesce(p.reason, 'cancelled') end as reason,
  p.replaced_by, (select ${selectLine('other')} from promises other where other.id = p.replaced_by) as replaced_by_words,
  p.changed_by, p.changed_at, p.evidence, p.is_doubtful, p.previous is not null as can_undo, p.previous ->> 'undoes' as undoes,
  coalesce(p.direction <> 'unassigned' and ${pastDue(moment)}, false) as is_past_due,
  case when ${LIVE} then ${standing(moment)} end as standing, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone`;

/** The messages that `promises p` rests on, without their words, as far as its digests keep them. */
export const SOURCES = sql`select jsonb_agg(message order by message ->> 'sentAt')
  from digests said cross join lateral jsonb_path_query(said.sources, 'lax $.messages[*]') as message
  where said.id in (p.first_digest_id, p.last_digest_id) and message ->> 'id' = any(p.source_message_ids)`;

/** The columns that pages need, with sources and the CRM task. */
export const selectSourcedColumns = (moment: Moment) => sql`${selectColumns(moment)}, p.quoted_at, dialogs.peer_kind,
  dialogs.peer_key, (${SOURCES}) as sources, exists (
    select from outbox_tasks where promise_id = p.id and user_id = p.user_id and crm_id is not null) as has_task`;

/** The user's own promises, and what else is on their days: each in the order of an index. */
export const ON_USER_CALENDAR = [MINE, SHARED_DATE] as const;

/**
 * Undated promises of conversations whose newest digest says that the other side can't wait, unless for something with a
 * day or hour. Excludes those that may be settled.
 */
export const urgent = ({
  userId,
  today,
}: UserKey & Day) => sql`p.due_date is null and not p.is_doubtful and p.last_digest_id in (
  select id from digests d where user_id = ${userId} and digest_date in (${today}::date, ${today}::date - 1) and is_urgent
    and not exists (select from digests newer where newer.dialog_id = d.dialog_id and newer.user_id = ${userId}
      and newer.digest_date > d.digest_date and newer.summary <> '')
    and not exists (select from promises dated where dated.user_id = ${userId} and dated.last_digest_id = d.id
      and dated.direction = 'mine'
      and (dated.due_date <= ${today}::date + 1 or dated.due_date is null and dated.due_text is not null)))`;

/** A list of promises: several ranges, each read in the order of an index, are a list by day and hour. */
export type ListQuery = { list: string; ranges: readonly Sql[]; where: Sql; order: Sql };

/**
 * Selects `list`, `id` and `place` of each list's promises, so that columns with many subqueries are joined and planned
 * once. An `or` between ranges would sort all rows.
 * @param page.most limit per range, at least that of the page
 */
export function selectListIds(userId: string, lists: ListQuery[], page: { most: number | Sql; slice: Sql }): Sql {
  const selected = ({ list, ranges, where, order }: ListQuery) => {
    const rowsOf = (range: Sql) =>
      sql`(select p.* from promises p where p.user_id = ${userId} and ${range} and ${where} order by ${order} limit ${page.most})`;
    const rows = joinSql(ranges.map(rowsOf), ' union all ');
    return sql`(select ${rawSql(`'${list}'`)} as list, p.id, row_number() over (order by ${order}) as place
      from (${rows}) as p order by place ${page.slice})`;
  };
  return joinSql(lists.map(selected), ' union all ');
}

export const COUNTS_IN_WEEK = sql`${inState(WEEK_STATES)} and p.words <> ''`;

export const IS_KIND_PROMISE = rawSql(`p.kind = '${KEPT_IN_WEEK.kind}'`);
export const KEPT = sql`p.state = ${rawSql(`'${KEPT_IN_WEEK.state}'`)} and ${IS_KIND_PROMISE}`;
