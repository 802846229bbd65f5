import type { Db } from '../../lib/db.ts';
import { LINK_COLUMNS } from '../matching/repo.ts';
import { linkedDialogRow } from '../matching/schema.ts';
import { COLUMNS, DUE, OPEN_TODAY, SOURCED_COLUMNS, UNMUTED } from '../promises/repo.ts';
import { type LedgerPromise, promiseRow, sourcedPromiseRow } from '../promises/schema.ts';
import { type AgendaList, type ListedPromise, listRow, type OpenCounts, type WeekCounts } from './schema.ts';

/** The user's present day, and the first day whose digests still count as news. Both YYYY-MM-DD. */
type Asked = { userId: string; today: string; newsSince: string };

/** Matches the condition of the index `promises_agenda`. */
const OPEN_WITH_WORDS = `${OPEN_TODAY} and p.words <> ''`;
export const MINE = `p.direction = 'mine'`;
export const THEIRS = `p.direction = 'theirs'`;
/** Appointments and deadlines are never overdue: they are past after their day, and then closed. */
export const LATE = `p.kind = 'promise' and ${DUE} < :today::date`;
/** Not the user's to do alone, but on a day of theirs: appointments, and deadlines of whoever they concern. */
export const DATED = `((p.direction = 'unassigned' and p.kind <> 'promise') or (p.direction = 'theirs' and p.kind = 'appointment'))`;
/** The user's own promises, and what else is on their days. The first condition is for the index. */
export const ON_THEIR_DAYS = `p.direction in ('mine', 'theirs', 'unassigned') and (${MINE} or ${DATED})`;
/**
 * Without a day, and the other side says in the newest digest of the conversation that it can't wait. What may be
 * settled is not urgent.
 */
export const URGENT = `p.due_date is null and not p.is_doubtful and p.last_digest_id in (
  select id from digests where user_id = :userId and digest_date between :newsSince::date and :today::date and is_urgent)`;

/**
 * Overdue promises start with the latest, so that those open for months don't hide yesterday's. This is the order of
 * the index, read backwards.
 */
const LATEST_FIRST = `${DUE} desc, p.due_time desc nulls first, p.id desc`;
const LISTS: Record<AgendaList, { in: string; order: string }> = {
  late: { in: `${MINE} and ${LATE}`, order: LATEST_FIRST },
  today: { in: `${ON_THEIR_DAYS} and ${DUE} = :today::date`, order: 'p.due_time, p.id' },
  urgent: { in: `${MINE} and ${URGENT}`, order: 'p.last_said_on desc, p.id' },
  owed: { in: `${THEIRS} and ${LATE}`, order: LATEST_FIRST },
  next: {
    in: `${ON_THEIR_DAYS} and ${DUE} > :today::date and ${DUE} < 'infinity'::date`,
    order: `${DUE}, p.due_time nulls last, p.id`,
  },
};

/**
 * The first promises of each list, at most `limit` each, outside muted conversations. Planning five lists takes longer
 * than reading them: each connection prepares the statement once, under its name.
 */
export async function listAgenda(db: Db, asked: Asked & { limit: number }): Promise<ListedPromise[]> {
  const parts = Object.entries(LISTS).map(
    ([list, { in: isIn, order }]) => `(
      select '${list}' as list, ${SOURCED_COLUMNS}, ${LINK_COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
      where p.user_id = :userId and ${OPEN_WITH_WORDS} and not dialogs.is_muted and ${isIn} order by ${order} limit :limit)`,
  );
  const { rows } = await db.raw<{ rows: unknown[] }>(parts.join(' union all '), asked).options({ name: 'agenda' });
  return rows.map(row => ({
    list: listRow.parse(row).list,
    promise: sourcedPromiseRow.parse(row),
    link: linkedDialogRow.parse(row),
  }));
}

/** Ranges of due days, counted separately; `infinity` stands for none. What is `past` is not overdue. */
const PARTS = {
  late: [`'-infinity'`, ':today::date - 1'],
  past: [`'-infinity'`, ':today::date - 1'],
  today: [':today::date', ':today::date'],
  later: [':today::date + 1', `'infinity'`],
} as const;

/**
 * How much is open, by conversation; in a muted one nothing counts as overdue, due today or urgent. Each part is a
 * range of the index, counted as it is read.
 */
export async function countOpen(db: Db, asked: Asked): Promise<Map<string, OpenCounts>> {
  const parts = Object.entries(PARTS).map(([part, [first, last]]) => `('${part}', (${first})::date, (${last})::date)`);
  const { rows } = await db.raw<{ rows: (OpenCounts & { dialog_id: string })[] }>(
    `
    with counted as (
      select sides.direction, days.part, p.* from (values ('mine'), ('theirs')) as sides (direction),
        (values ${parts.join(', ')}) as days (part, first, last),
        lateral (select p.dialog_id, count(*) as count from promises p
          where p.user_id = :userId and ${OPEN_WITH_WORDS} and p.direction = sides.direction and ${DUE} between days.first and days.last
            and (days.part not in ('late', 'past') or (p.kind = 'promise') = (days.part = 'late'))
          group by p.dialog_id) as p
      union all
      select 'mine', 'urgent', p.dialog_id, count(*) from promises p
      where p.user_id = :userId and ${OPEN_WITH_WORDS} and ${MINE} and ${URGENT} group by p.dialog_id
      union all
      select 'dated', 'today', p.dialog_id, count(*) from promises p
      where p.user_id = :userId and ${OPEN_WITH_WORDS} and p.direction in ('theirs', 'unassigned') and ${DATED}
        and ${DUE} = :today::date group by p.dialog_id
    )
    select dialog_id, ${sumOf(`${MINE} and part <> 'urgent'`)} as mine, ${sumOf(`${MINE} and part = 'late' and ${UNMUTED}`)} as late,
      ${sumOf(`${MINE} and part = 'today' and ${UNMUTED}`)} as today, ${sumOf(`direction = 'dated' and ${UNMUTED}`)} as dated, ${sumOf(`part = 'urgent' and ${UNMUTED}`)} as urgent,
      ${sumOf(THEIRS)} as theirs, ${sumOf(`${THEIRS} and part = 'late' and ${UNMUTED}`)} as owed
    from counted p group by dialog_id
    `,
    asked,
  );
  return new Map(rows.map(({ dialog_id, ...counts }) => [dialog_id, counts]));
}

function sumOf(which: string): string {
  return `coalesce(sum(count) filter (where ${which}), 0)::int`;
}

type Week = { userId: string; monday: string; sunday: string };

const WEEK_COUNTS = `
  select count(*)::int as due, count(*) filter (where p.state = 'done')::int as kept from promises p
  where p.user_id = :userId and p.state in ('open', 'snoozed', 'done') and p.kind = 'promise' and ${MINE} and p.words <> ''
    and ${DUE} between :monday::date and :sunday::date`;

/** How much the user owes from `monday` through `sunday`, and how much is done, without what is no longer needed. */
export async function countWeek(db: Db, week: Week): Promise<WeekCounts> {
  const { rows } = await db.raw<{ rows: WeekCounts[] }>(WEEK_COUNTS, week);
  return rows[0] ?? { due: 0, kept: 0 };
}

/** Only this many of the newest are shown, and counted. */
const MOST_CLOSED = 20;
const MOST_ASKED = 5;
const MOST_COUNTED = 1000;

/** How many were closed, by what became of them; `asked` may be settled, and stay open until the person says so. */
export type ClosedCounts = { kept: number; past: number; notNeeded: number; asked: number };
export type Closed = { promises: LedgerPromise[]; counts: ClosedCounts };

/**
 * What was closed since the day before `today`, or may have been, outside muted conversations: by messages, in the CRM,
 * by its day or by the person. The first of them, at most five questions first, then the newest, and how many there are
 * in all. With it, to save a statement, what {@link countWeek} counts.
 */
export async function listClosed(
  db: Db,
  asked: Week & { today: string; timezone: string },
): Promise<{ closed: Closed; week: WeekCounts }> {
  const { rows } = await db.raw<{ rows: ClosedRow[] }>(
    `
    select week.due as week_due, week.kept as week_kept, closed.* from (${WEEK_COUNTS}) as week left join (
      select numbered.*, row_number() over (partition by is_doubtful order by told_at desc, id) as place,
        count(*) filter (where state = 'done' and reason <> 'past') over ()::int as kept,
        count(*) filter (where reason = 'past') over ()::int as past,
        count(*) filter (where state in ('cancelled', 'dismissed')) over ()::int as not_needed,
        count(*) filter (where is_doubtful) over ()::int as asked
      from (
        select ${COLUMNS}, case when p.is_doubtful then coalesce(p.evidence ->> 'when', '') else to_char(p.changed_at, 'YYYY-MM-DD HH24:MI:SS.US') end as told_at
        from promises p join dialogs on dialogs.id = p.dialog_id
        where p.user_id = :userId and p.changed_at >= (:today::date - 1)::timestamp at time zone :timezone and p.words <> ''
          and (p.state in ('done', 'cancelled', 'dismissed') or p.is_doubtful) and not dialogs.is_muted
        order by p.changed_at desc, p.id limit ${MOST_COUNTED}
      ) as numbered
    ) as closed on not closed.is_doubtful or closed.place <= ${MOST_ASKED}
    order by is_doubtful desc, told_at desc, closed.id limit ${MOST_CLOSED}
    `,
    asked,
  );
  const [first] = rows;
  const { kept, past, not_needed: notNeeded, asked: questions } = first ?? {};
  return {
    closed: {
      promises: rows.filter(({ id }) => id !== null).map(row => promiseRow.parse(row)),
      counts: { kept: kept ?? 0, past: past ?? 0, notNeeded: notNeeded ?? 0, asked: questions ?? 0 },
    },
    week: { due: first?.week_due ?? 0, kept: first?.week_kept ?? 0 },
  };
}

/** Of nothing that was closed there is one row, with the week alone. */
type ClosedRow = { week_due: number; week_kept: number; id: string | null } & Record<
  'kept' | 'past' | 'not_needed' | 'asked',
  number | null
>;
