import { z } from 'zod';
import type { Db, UserKey } from '../../../lib/db.ts';
import { joinSql, NO_SQL, rawSql, sql } from '../../../lib/sql.ts';
import { LINK_COLUMNS } from '../../contacts/matching/repo.ts';
import { type LinkedDialog, linkedDialogRow } from '../../contacts/matching/schema.ts';
import * as fragments from '../fragments.ts';
import type { UserMoment } from '../rules.ts';
import { promiseRow, type SourcedPromise, sourcedPromiseRow, type UserPromise } from '../schema.ts';

/**
 * The short lists on Today. All but `owedToUser` are of the user's own promises; `dueToday` and `next`, due later, also of
 * shared dates. `urgent` have no day, in a conversation whose other side says that it can’t wait.
 */
const COUNTED_LISTS = ['overdue', 'perhapsSettled', 'dueToday', 'urgent', 'owedToUser'] as const;
const AGENDA_LISTS = [...COUNTED_LISTS, 'next'] as const;
export type AgendaList = (typeof AGENDA_LISTS)[number];

const listRow = z.object({ list: z.enum(AGENDA_LISTS) });

export type AgendaPromise = { list: AgendaList; promise: SourcedPromise; link: LinkedDialog };

/**
 * How many promises a conversation has open: all of the user's, all of others', and those on each list, where shared dates
 * of the present day count as `dated` instead of `dueToday`. `tomorrow` is all of the next day.
 */
export const OPEN_COUNTS = ['mine', 'theirs', ...COUNTED_LISTS, 'dated', 'tomorrow'] as const;
export type OpenCounts = Record<(typeof OPEN_COUNTS)[number], number>;

export type WeekCounts = { due: number; kept: number };

type AgendaQuery = UserKey & UserMoment;

/** Matches the condition of the index `promises_agenda`. */
const openWithWords = (moment: UserMoment) => sql`${fragments.openOn(moment)} and p.words <> ''`;

/** The latest overdue first: those open for months don't hide yesterday's. The order of the index, read backwards. */
const LATEST_FIRST = sql`${fragments.DUE_OR_INFINITY} desc, p.due_time desc nulls first, p.id desc`;

function listsOf(query: AgendaQuery): Record<AgendaList, Omit<fragments.ListQuery, 'list'>> {
  const { MINE, THEIRS, ON_USER_CALENDAR, BY_DUE, DUE_OR_INFINITY, stands } = fragments;
  return {
    overdue: { ranges: [MINE], where: stands('overdue', query), order: LATEST_FIRST },
    perhapsSettled: { ranges: [MINE], where: fragments.askedAbout(query), order: sql`p.is_doubtful, ${LATEST_FIRST}` },
    dueToday: { ranges: ON_USER_CALENDAR, where: stands('dueToday', query), order: BY_DUE },
    urgent: { ranges: [MINE], where: fragments.urgent(query), order: sql`p.last_said_on desc, p.id` },
    owedToUser: { ranges: [THEIRS], where: fragments.owedToUser(query), order: LATEST_FIRST },
    next: {
      ranges: ON_USER_CALENDAR,
      where: sql`${stands('notYetDue', query)} and ${DUE_OR_INFINITY} < 'infinity'::date`,
      order: BY_DUE,
    },
  };
}

/** Rows of each list: as many as the page can show. */
const MAX_LISTED = 7;

/** The first promises of each list, outside muted conversations. */
export async function listAgenda(db: Db, query: AgendaQuery): Promise<AgendaPromise[]> {
  const lists = Object.entries(listsOf(query)).map(([list, { where, ...rest }]) => ({
    ...rest,
    list,
    where: sql`${openWithWords(query)} and ${fragments.unmuted(query)} and ${where}`,
  }));
  const rows = await sql`
    select listed.list, ${fragments.selectSourcedColumns(query)}, ${LINK_COLUMNS}
    from (${fragments.selectListIds(query.userId, lists, { most: MAX_LISTED, slice: NO_SQL })}) as listed
      join promises p on p.id = listed.id join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${query.userId} order by listed.place
  `.rows(db, 'agenda');
  return rows.map(row => ({
    list: listRow.parse(row).list,
    promise: sourcedPromiseRow.parse(row),
    link: linkedDialogRow.parse(row),
  }));
}

export type CountedPromises = {
  /** How much is open, by conversation; in a muted one nothing counts as overdue, due today or urgent. */
  open: Map<string, OpenCounts>;
  /** What the user owed from `monday` through `sunday`: kept, or past their day as on the page of the week. */
  week: WeekCounts;
};

/** Counts what is open, and what was due this week. */
export async function countPromises(
  db: Db,
  { monday, sunday, ...query }: AgendaQuery & { monday: string; sunday: string },
): Promise<CountedPromises> {
  const { userId, today } = query;
  const { MINE, SHARED_DATE, DUE_OR_INFINITY, KEPT, stands } = fragments;
  const isTomorrow = sql`${DUE_OR_INFINITY} = ${today}::date + 1 and ${stands('notYetDue', query)}`;
  // There may be ten thousand promises: most are due later, and of the others only the first that holds is looked at.
  const countedAs = sql`case
    when p.due_date > ${today}::date + 1 then null
    when ${MINE} then case
      when ${stands('overdue', query)} then 'overdue'
      when ${fragments.askedAbout(query)} then 'perhapsSettled'
      when ${stands('dueToday', query)} then 'dueToday'
      when ${fragments.urgent(query)} then 'urgent'
      when ${isTomorrow} then 'tomorrow' end
    when ${SHARED_DATE} and ${stands('dueToday', query)} then 'dated'
    when ${SHARED_DATE} and ${isTomorrow} then 'tomorrow'
    when ${fragments.owedToUser(query)} then 'owedToUser' end`;
  const sums = OPEN_COUNTS.map(name => {
    const isCounted =
      name === 'mine' || name === 'theirs' ? `direction = '${name}'` : `counted_as = '${name}' and not is_muted`;
    return rawSql(`coalesce(sum(count) filter (where ${isCounted}), 0)::int as "${name}"`);
  });
  const rows = await sql`
    with counted as (
      select p.dialog_id, p.direction, ${countedAs} as counted_as, count(*) as count
      from promises p where p.user_id = ${userId} and ${openWithWords(query)} group by 1, 2, 3
    ), of_dialogs as (
      select dialog_id, ${joinSql(sums, ', ')}
      from counted join dialogs on dialogs.id = dialog_id group by dialog_id
    ), of_week as (
      select count(*)::int as due, count(*) filter (where ${KEPT})::int as kept from promises p
      where p.user_id = ${userId} and ${fragments.COUNTS_IN_WEEK} and ${fragments.IS_KIND_PROMISE} and ${MINE}
        and ${DUE_OR_INFINITY} between ${monday}::date and ${sunday}::date
        and (${KEPT} or ${fragments.openOn(query)} and ${DUE_OR_INFINITY} < ${today}::date)
    )
    select * from of_week left join of_dialogs on true
  `.rows<OpenCounts & WeekCounts & { dialog_id: string | null }>(db);
  const { due = 0, kept = 0 } = rows[0] ?? {};
  const open = rows.flatMap(({ dialog_id, ...counts }): [string, OpenCounts][] => (dialog_id ? [[dialog_id, counts]] : []));
  return { open: new Map(open), week: { due, kept } };
}

/** Maximum number of closed promises shown; up to {@link MAX_COUNTED} are counted. */
const MAX_CLOSED = 20;

const MAX_QUESTIONS = 5;
const MAX_COUNTED = 1000;

/** Number of closed promises by outcome; `doubtful` may be settled, and stay open until the user confirms. */
type ClosedCounts = { kept: number; past: number; notNeeded: number; doubtful: number };

export type ClosedPromises = { promises: UserPromise[]; counts: ClosedCounts };

/**
 * Promises that were closed since the day before `today`, or may have been, outside muted conversations: by messages,
 * in the CRM, by their day or by the user. At most five questions first, then the newest; and the count of all.
 */
export async function listClosed(
  db: Db,
  { userId, timezone, ...moment }: AgendaQuery & { timezone: string },
): Promise<ClosedPromises> {
  const rows = await sql`
    with recent as (
      select p.id, p.state, p.reason, p.is_doubtful, p.changed_at
      from promises p join dialogs on dialogs.id = p.dialog_id
      where p.user_id = ${userId} and p.changed_at >= (${moment.today}::date - 1)::timestamp at time zone ${timezone} and p.words <> ''
        and (${fragments.SETTLED} or p.is_doubtful) and not dialogs.is_muted
      order by p.changed_at desc, p.id limit ${MAX_COUNTED}
    ), counts as (
      select count(*) filter (where state = 'done' and reason is distinct from 'past')::int as kept,
        count(*) filter (where reason = 'past')::int as past,
        count(*) filter (where state in ('cancelled', 'dismissed'))::int as not_needed,
        count(*) filter (where is_doubtful)::int as doubtful
      from recent
    ), chosen as (
      (select id, row_number() over (order by p.evidence ->> 'when' desc nulls last, id) as place
        from recent join promises p using (id) where recent.is_doubtful order by place limit ${MAX_QUESTIONS})
      union all
      (select id, ${MAX_QUESTIONS} + row_number() over (order by changed_at desc, id) as place from recent where not is_doubtful order by place limit ${MAX_CLOSED})
    )
    select counts.*, ${fragments.selectColumns(moment)}
    from counts cross join chosen join promises p on p.id = chosen.id join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} order by chosen.place limit ${MAX_CLOSED}
  `.rows<Omit<ClosedCounts, 'notNeeded'> & { not_needed: number }>(db);
  const { kept, past, not_needed: notNeeded, doubtful } = rows[0] ?? NONE;
  return { promises: rows.map(row => promiseRow.parse(row)), counts: { kept, past, notNeeded, doubtful } };
}

const NONE = { kept: 0, past: 0, not_needed: 0, doubtful: 0 };
