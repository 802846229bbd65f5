import type { Db, UserKey } from '../../../lib/db.ts';
import { joinSql, rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { IS_WRITTEN } from '../../digests/fragments.ts';
import * as fragments from '../../promises/fragments.ts';
import type { UserMoment } from '../../promises/rules.ts';
import { sourcedPromiseRow } from '../../promises/schema.ts';
import * as schema from './schema.ts';

/** A week from its Monday to its Sunday, and the last day of the one after it; all days are YYYY-MM-DD. */
type WeekDays = UserKey & UserMoment & { monday: string; sunday: string; nextSunday: string };

const { BY_DUE, COUNTS_IN_WEEK, DUE_OR_INFINITY, KEPT, MINE, IS_KIND_PROMISE, SHARED_DATE, THEIRS } = fragments;

const inWeek = ({ monday, sunday }: WeekDays) => sql`${DUE_OR_INFINITY} between ${monday}::date and ${sunday}::date`;

/** Only what lies ahead includes appointments and deadlines that are not the user's alone. */
const rangesOf = (list: schema.WeekList): readonly Sql[] =>
  list === 'ahead' || list === 'next' ? fragments.ON_USER_CALENDAR : [MINE];

const LISTS: Record<schema.WeekList, { where: (week: WeekDays) => Sql; order: Sql }> = {
  late: {
    where: week => sql`${fragments.openOn(week)} and ${IS_KIND_PROMISE}
      and ${DUE_OR_INFINITY} between ${week.monday}::date and least(${week.sunday}::date, ${week.today}::date - 1)`,
    order: BY_DUE,
  },
  ahead: {
    where: week => sql`${fragments.openOn(week)}
      and ${DUE_OR_INFINITY} between greatest(${week.monday}::date, ${week.today}::date) and ${week.sunday}::date`,
    order: BY_DUE,
  },
  putOff: { where: week => sql`${fragments.putOff(week)} and ${inWeek(week)}`, order: sql`p.snoozed_until, p.id` },
  kept: { where: week => sql`${KEPT} and ${inWeek(week)}`, order: BY_DUE },
  fresh: {
    where: ({ monday, sunday }) => sql`${COUNTS_IN_WEEK} and p.first_said_on between ${monday}::date and ${sunday}::date`,
    order: sql`p.first_said_on desc, ${BY_DUE}`,
  },
  next: {
    where: ({ sunday, nextSunday }) =>
      sql`${fragments.LIVE} and ${DUE_OR_INFINITY} between ${sunday}::date + 1 and ${nextSunday}::date`,
    order: BY_DUE,
  },
};

type Slice = { only?: schema.WeekList | undefined; limit: number; offset: number };

/** The first promises of each list, or those of one list from an offset on. */
export async function listWeek(db: Db, { only, limit, offset, ...week }: WeekDays & Slice): Promise<schema.WeekPromise[]> {
  const lists = schema.WEEK_LISTS.filter(list => !only || list === only).map(list => ({
    list,
    ranges: rangesOf(list),
    where: sql`p.words <> '' and ${LISTS[list].where(week)}`,
    order: LISTS[list].order,
  }));
  const page = { most: sql`${String(limit + offset)}::int`, slice: sql`limit ${String(limit)} offset ${String(offset)}` };
  const rows = await sql`
    select listed.list, ${fragments.selectSourcedColumns(week)}
    from (${fragments.selectListIds(week.userId, lists, page)}) as listed
      join promises p on p.id = listed.id join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${week.userId} order by listed.place
  `.rows(db, `week ${only ?? 'lists'}`);
  return rows.map(row => ({ list: schema.listRow.parse(row).list, promise: sourcedPromiseRow.parse(row) }));
}

/** The columns of the counts' conditions. Of the many promises of a week most are alike in them, and are counted first. */
const CONDITION_COLUMNS = sql`p.kind, p.direction, p.state, p.due_date, p.snoozed_until, p.needs_confirmation, p.changed_by`;

/** How long each list is, in one statement. */
export async function countLists(db: Db, week: WeekDays): Promise<schema.WeekCounts> {
  const inList = (list: schema.WeekList) => sql`(${joinSql(rangesOf(list), ' or ')}) and ${LISTS[list].where(week)}`;
  const counted: Record<Exclude<keyof schema.WeekCounts, 'fresh'>, Sql> = {
    due: sql`${MINE} and ${inWeek(week)} and ${IS_KIND_PROMISE}`,
    late: inList('late'),
    perhapsSettled: sql`${inList('late')} and p.needs_confirmation`,
    ahead: inList('ahead'),
    aheadDates: sql`${SHARED_DATE} and ${LISTS.ahead.where(week)}`,
    nextDates: sql`${SHARED_DATE} and ${LISTS.next.where(week)}`,
    putOff: inList('putOff'),
    kept: inList('kept'),
    next: inList('next'),
    keptAutomatically: sql`${inList('kept')} and p.changed_by = 'automatic'`,
    theirsDue: sql`${THEIRS} and ${inWeek(week)} and ${IS_KIND_PROMISE}`,
    theirsKept: sql`${THEIRS} and ${inWeek(week)} and ${KEPT}`,
  };
  const counts = Object.entries(counted).map(
    ([name, where]) => sql`coalesce(sum(p.alike) filter (where ${where}), 0)::int as ${rawSql(`"${name}"`)}`,
  );
  const [row] = await sql`
    select ${joinSql(counts, ', ')},
      (select count(*)::int from promises p where p.user_id = ${week.userId} and ${inList('fresh')}) as fresh
    from (
      select ${CONDITION_COLUMNS}, count(*) as alike from promises p where p.user_id = ${week.userId} and ${COUNTS_IN_WEEK}
        and ${DUE_OR_INFINITY} between ${week.monday}::date and ${week.nextSunday}::date
      group by ${CONDITION_COLUMNS}
    ) as p
  `.rows<schema.WeekCounts>(db);
  if (!row) throw new Error('a count has one row');
  return row;
}

/** How much was due in each week from `since` to `until`, and how much of it is kept, oldest first; no empty weeks. */
export async function countByWeek(
  db: Db,
  { userId, since, until }: { userId: string; since: string; until: string },
): Promise<schema.WeekOfChart[]> {
  return sql`
    select to_char(due_date - (extract(isodow from due_date)::int - 1), 'YYYY-MM-DD') as monday,
      sum(due)::int as due, sum(kept)::int as kept
    from (select p.due_date, count(*) as due, count(*) filter (where ${KEPT}) as kept from promises p
      where p.user_id = ${userId} and ${COUNTS_IN_WEEK} and ${IS_KIND_PROMISE} and ${MINE}
        and ${DUE_OR_INFINITY} between ${since}::date and ${until}::date
      group by p.due_date) as days
    group by 1 order by 1
  `.rows<schema.WeekOfChart>(db);
}

/** The first day about which anything is known: that of the oldest digest or promise. YYYY-MM-DD. */
export async function findFirstDay(db: Db, { userId }: UserKey): Promise<string | undefined> {
  const [found] = await sql`
    select to_char(least(
      (select min(digest_date) from digests where user_id = ${userId}),
      (select min(p.first_said_on) from promises p where p.user_id = ${userId} and ${MINE} and p.words <> '')
    ), 'YYYY-MM-DD') as first
  `.rows<{ first: string | null }>(db);
  return found?.first ?? undefined;
}

/** The conversations with the most messages in a week, most first; muted ones are not among them. */
export async function listBusiest(
  db: Db,
  { userId, monday, sunday, limit }: Pick<WeekDays, 'userId' | 'monday' | 'sunday'> & { limit: number },
) {
  const isOfWeek = sql`digests.digest_date between ${monday}::date and ${sunday}::date and ${IS_WRITTEN}`;
  return sql`
    select busiest.*, newest.summary, newest.language, newest.sentence_end, newest.exchanges from (
      select dialogs.id as dialog_id, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone, dialogs.peer_type,
        sum(digests.message_count)::int as messages, min(digests.first_message_at) as first_message_at
      from digests join dialogs on dialogs.id = digests.dialog_id and not dialogs.is_muted
      where digests.user_id = ${userId} and ${isOfWeek} group by dialogs.id order by messages desc, dialogs.id limit ${limit}
    ) as busiest cross join lateral (
      select digests.summary, coalesce(digests.structured ->> 'writtenIn', digests.structured ->> 'language', 'und') as language,
        (digests.sources #>> '{sentences,0,to}')::int as sentence_end, digests.structured -> 'exchanges' as exchanges
      from digests
      where digests.dialog_id = busiest.dialog_id and digests.user_id = ${userId} and ${isOfWeek}
      order by digests.digest_date desc limit 1
    ) as newest order by busiest.messages desc, busiest.dialog_id
  `.read(db, schema.busyDialogRow);
}
