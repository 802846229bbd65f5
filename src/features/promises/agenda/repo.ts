import { z } from 'zod';
import type { Db, UserKey } from '../../../lib/db.ts';
import { joinSql, NO_SQL, rawSql, sql } from '../../../lib/sql.ts';
import { LINK_COLUMNS } from '../../contacts/matching/repo.ts';
import { type LinkedDialog, linkedDialogRow } from '../../contacts/matching/schema.ts';
import * as fragments from '../fragments.ts';
import type { UserMoment } from '../rules.ts';
import { promiseRow, type SourcedPromise, sourcedPromiseRow, type UserPromise } from '../schema.ts';

/**
 * The short lists on Today. `late`, `asked`, `today` and `urgent` are the user's own promises: overdue, past their
 * day but perhaps settled, due on the present day (with appointments and deadlines of others), and without a day in a
 * conversation whose other side says that it can’t wait. `owed` is what others owe and is past its day, `next` what the user owes after the present day.
 */
const AGENDA_LISTS = ['late', 'asked', 'today', 'urgent', 'owed', 'next'] as const;
export type AgendaList = (typeof AGENDA_LISTS)[number];

const listRow = z.object({ list: z.enum(AGENDA_LISTS) });

export type AgendaPromise = { list: AgendaList; promise: SourcedPromise; link: LinkedDialog };

/**
 * How many promises a conversation has open: `mine` (of these `late`, `asked`, `today`, `urgent`), `theirs` (late: `owed`).
 * `dated` are the present day's appointments and deadlines that are not the user's alone; `tomorrow` is all of the next day.
 */
export const OPEN_COUNTS = ['mine', 'late', 'asked', 'today', 'tomorrow', 'urgent', 'dated', 'theirs', 'owed'] as const;
export type OpenCounts = Record<(typeof OPEN_COUNTS)[number], number>;

export type WeekCounts = { due: number; kept: number };

type AgendaQuery = UserKey & UserMoment;

/** Matches the condition of the index `promises_agenda`. */
const openWithWords = (moment: UserMoment) => sql`${fragments.openOn(moment)} and p.words <> ''`;

/** The latest overdue first: those open for months don't hide yesterday's. The order of the index, read backwards. */
const LATEST_FIRST = sql`${fragments.DUE_OR_INFINITY} desc, p.due_time desc nulls first, p.id desc`;

const owedAndLate = (moment: UserMoment) => sql`${fragments.pastDue(moment)} and ${fragments.NOT_DOUBTFUL}`;

function listsOf(asked: AgendaQuery): Record<AgendaList, Omit<fragments.ListQuery, 'list'>> {
  const isUpcoming = sql`${fragments.DUE_OR_INFINITY} > ${asked.today}::date and ${fragments.DUE_OR_INFINITY} < 'infinity'::date`;
  return {
    late: { ranges: [fragments.MINE], where: fragments.overdue(asked), order: LATEST_FIRST },
    asked: {
      ranges: [fragments.MINE],
      where: fragments.perhapsSettledAndRecentlyDue(asked),
      order: sql`p.is_doubtful, ${LATEST_FIRST}`,
    },
    today: { ranges: fragments.ON_USER_CALENDAR, where: fragments.dueOn(asked), order: fragments.BY_DUE },
    urgent: { ranges: [fragments.MINE], where: fragments.urgent(asked), order: sql`p.last_said_on desc, p.id` },
    owed: { ranges: [fragments.THEIRS], where: owedAndLate(asked), order: LATEST_FIRST },
    next: {
      ranges: fragments.ON_USER_CALENDAR,
      where: sql`${isUpcoming} and ${fragments.NOT_DOUBTFUL}`,
      order: fragments.BY_DUE,
    },
  };
}

/** Rows of each list: as many as the page can show. */
const MAX_LISTED = 7;

/** The first promises of each list, outside muted conversations. */
export async function listAgenda(db: Db, asked: AgendaQuery): Promise<AgendaPromise[]> {
  const lists = Object.entries(listsOf(asked)).map(([list, { where, ...rest }]) => ({
    ...rest,
    list,
    where: sql`${openWithWords(asked)} and ${fragments.unmuted(asked)} and ${where}`,
  }));
  const rows = await sql`
    select listed.list, ${fragments.selectSourcedColumns(asked)}, ${LINK_COLUMNS}
    from (${fragments.selectListIds(asked.userId, lists, { most: MAX_LISTED, slice: NO_SQL })}) as listed
      join promises p on p.id = listed.id join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${asked.userId} order by listed.place
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
  { monday, sunday, ...asked }: AgendaQuery & { monday: string; sunday: string },
): Promise<CountedPromises> {
  const { userId, today } = asked;
  const { MINE, THEIRS, SHARED_DATE, DUE_OR_INFINITY, KEPT } = fragments;
  const onCalendar = joinSql(fragments.ON_USER_CALENDAR, ' or ');
  // Of each promise only the first that holds is looked at: there may be ten thousand.
  const countedAs = sql`case
    when ${MINE} and ${fragments.overdue(asked)} then 'late'
    when ${MINE} and ${fragments.perhapsSettledAndRecentlyDue(asked)} then 'asked'
    when ${MINE} and ${fragments.dueOn(asked)} then 'today'
    when ${MINE} and ${fragments.urgent(asked)} then 'urgent'
    when ${SHARED_DATE} and ${DUE_OR_INFINITY} = ${today}::date then 'dated'
    when ${THEIRS} and ${owedAndLate(asked)} then 'owed'
    when (${onCalendar}) and ${DUE_OR_INFINITY} = ${today}::date + 1 and ${fragments.NOT_DOUBTFUL} then 'tomorrow' end`;
  const sums = OPEN_COUNTS.map(name => {
    const isCounted =
      name === 'mine' || name === 'theirs' ? `direction = '${name}'` : `counted_as = '${name}' and not is_muted`;
    return rawSql(`coalesce(sum(count) filter (where ${isCounted}), 0)::int as ${name}`);
  });
  const rows = await sql`
    with counted as (
      select p.dialog_id, p.direction, ${countedAs} as counted_as, count(*) as count
      from promises p where p.user_id = ${userId} and ${openWithWords(asked)} group by 1, 2, 3
    ), of_dialogs as (
      select dialog_id, ${joinSql(sums, ', ')}
      from counted join dialogs on dialogs.id = dialog_id group by dialog_id
    ), of_week as (
      select count(*)::int as due, count(*) filter (where ${KEPT})::int as kept from promises p
      where p.user_id = ${userId} and ${fragments.COUNTS_IN_WEEK} and ${fragments.OWED} and ${MINE}
        and ${DUE_OR_INFINITY} between ${monday}::date and ${sunday}::date
        and (${KEPT} or ${fragments.openOn(asked)} and ${DUE_OR_INFINITY} < ${today}::date)
    )
    select * from of_week left join of_dialogs on true
  `.rows<OpenCounts & WeekCounts & { dialog_id: string | null }>(db);
  const { due = 0, kept = 0 } = rows[0] ?? {};
  const open = rows.flatMap(({ dialog_id, ...counts }): [string, OpenCounts][] => (dialog_id ? [[dialog_id, counts]] : []));
  return { open: new Map(open), week: { due, kept } };
}

/** Maximum number of closed promises shown; up to {@link MAX_COUNTED} are counted. */
const MAX_CLOSED = 20;

const MAX_CONFIRMATIONS = 5;

const MAX_COUNTED = 1000;

/** Number of closed promises by outcome; `asked` may be settled, and stay open until the user confirms. */
type ClosedCounts = { kept: number; past: number; notNeeded: number; asked: number };

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
        count(*) filter (where is_doubtful)::int as asked
      from recent
    ), chosen as (
      (select id, row_number() over (order by p.evidence ->> 'when' desc nulls last, id) as place
        from recent join promises p using (id) where recent.is_doubtful order by place limit ${MAX_CONFIRMATIONS})
      union all
      (select id, ${MAX_CONFIRMATIONS} + row_number() over (order by changed_at desc, id) as place from recent where not is_doubtful order by place limit ${MAX_CLOSED})
    )
    select counts.*, ${fragments.selectColumns(moment)}
    from counts cross join chosen join promises p on p.id = chosen.id join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} order by chosen.place limit ${MAX_CLOSED}
  `.rows<Omit<ClosedCounts, 'notNeeded'> & { not_needed: number }>(db);
  const { kept, past, not_needed: notNeeded, asked: questions } = rows[0] ?? NONE;
  return { promises: rows.map(row => promiseRow.parse(row)), counts: { kept, past, notNeeded, asked: questions } };
}

const NONE = { kept: 0, past: 0, not_needed: 0, asked: 0 };
