import type { Db, Owner, Rows } from '../../../lib/db.ts';
import { IS_WRITTEN } from '../../digests/fragments.ts';
import * as fragments from '../../promises/fragments.ts';
import { sourcedPromiseRow } from '../../promises/schema.ts';
import * as schema from './schema.ts';

/** A week from its Monday to its Sunday, and the last day of the one after it; all days are YYYY-MM-DD. */
type WeekDays = { userId: string; today: string; monday: string; sunday: string; nextSunday: string };

const IN_WEEK = `${fragments.DUE_OR_INFINITY} between :monday::date and :sunday::date`;
const IN_NEXT = `${fragments.DUE_OR_INFINITY} between :sunday::date + 1 and :nextSunday::date`;

/** Only what lies ahead includes appointments and deadlines that are not the user's alone. */
const rangesOf = (list: schema.WeekList) =>
  list === 'ahead' || list === 'next' ? fragments.ON_USER_CALENDAR : [fragments.MINE];
const LISTS: Record<schema.WeekList, { where: string; order: string }> = {
  late: {
    where: `${fragments.OPEN_TODAY} and ${fragments.OWED}
      and ${fragments.DUE_OR_INFINITY} between :monday::date and least(:sunday::date, :today::date - 1)`,
    order: fragments.BY_DUE,
  },
  ahead: {
    where: `${fragments.OPEN_TODAY} and ${fragments.DUE_OR_INFINITY} between greatest(:monday::date, :today::date) and :sunday::date`,
    order: fragments.BY_DUE,
  },
  putOff: { where: `${fragments.PUT_OFF} and ${IN_WEEK}`, order: 'p.snoozed_until, p.id' },
  kept: { where: `${fragments.KEPT} and ${IN_WEEK}`, order: fragments.BY_DUE },
  fresh: {
    where: `${fragments.COUNTS_IN_WEEK} and p.first_said_on between :monday::date and :sunday::date`,
    order: `p.first_said_on desc, ${fragments.BY_DUE}`,
  },
  next: { where: `${fragments.LIVE} and ${IN_NEXT}`, order: fragments.BY_DUE },
};

type Slice = { only?: schema.WeekList | undefined; limit: number; offset: number };

/** The first promises of each list, or those of one list from an offset on. */
export async function listWeek(db: Db, { only, ...query }: WeekDays & Slice): Promise<schema.ListedPromise[]> {
  const lists = schema.WEEK_LISTS.filter(list => !only || list === only).map(list => ({
    list,
    ranges: rangesOf(list),
    where: `p.words <> '' and ${LISTS[list].where}`,
    order: LISTS[list].order,
  }));
  const page = { most: ':limit::int + :offset::int', slice: 'limit :limit offset :offset' };
  const { rows } = await db
    .raw<Rows>(
      `
      select listed.list, ${fragments.SOURCED_COLUMNS} from (${fragments.selectListIds(lists, page)}) as listed
        join promises p on p.id = listed.id join dialogs on dialogs.id = p.dialog_id
      where p.user_id = :userId order by listed.place
      `,
      query,
    )
    .options({ name: `week ${only ?? 'lists'}` });
  return rows.map(row => ({ list: schema.listRow.parse(row).list, promise: sourcedPromiseRow.parse(row) }));
}

/** How long each list is, in one statement. */
export async function countLists(db: Db, query: WeekDays): Promise<schema.WeekCounts> {
  const countOf = (list: schema.WeekList) =>
    `count(*) filter (where (${rangesOf(list).join(' or ')}) and ${LISTS[list].where})::int`;
  const dates = (list: 'ahead' | 'next') => `count(*) filter (where ${fragments.SHARED_DATE} and ${LISTS[list].where})::int`;
  const { rows } = await db.raw<{ rows: schema.WeekCounts[] }>(
    `
    select count(*) filter (where ${fragments.MINE} and ${IN_WEEK} and ${fragments.OWED})::int as due,
      ${countOf('late')} as late,
      count(*) filter (where ${fragments.MINE} and ${LISTS.late.where} and p.needs_confirmation)::int as "lateAsked", ${countOf('ahead')} as ahead,
      ${dates('ahead')} as "aheadDates", ${dates('next')} as "nextDates",
      ${countOf('putOff')} as "putOff", ${countOf('kept')} as kept, ${countOf('next')} as next,
      count(*) filter (where ${fragments.MINE} and ${IN_WEEK} and ${fragments.KEPT}
        and p.changed_by = 'automatic')::int as "keptAutomatically",
      count(*) filter (where ${fragments.THEIRS} and ${IN_WEEK} and ${fragments.OWED})::int as "theirsDue",
      count(*) filter (where ${fragments.THEIRS} and ${IN_WEEK} and ${fragments.KEPT})::int as "theirsKept",
      (select count(*)::int from promises p
        where p.user_id = :userId and ${fragments.MINE} and ${LISTS.fresh.where}) as fresh
    from promises p where p.user_id = :userId and ${fragments.COUNTS_IN_WEEK}
      and ${fragments.DUE_OR_INFINITY} between :monday::date and :nextSunday::date
    `,
    query,
  );
  const [counts] = rows;
  if (!counts) throw new Error('a count has one row');
  return counts;
}

/** How much was due in each week from `since` to `until`, and how much of it is kept, oldest first; no empty weeks. */
export async function countByWeek(db: Db, range: { userId: string; since: string; until: string }) {
  const { rows } = await db.raw<{ rows: schema.WeekOfChart[] }>(
    `
    select to_char(due_date - (extract(isodow from due_date)::int - 1), 'YYYY-MM-DD') as monday,
      sum(due)::int as due, sum(kept)::int as kept
    from (select p.due_date, count(*) as due, count(*) filter (where ${fragments.KEPT}) as kept from promises p
      where p.user_id = :userId and ${fragments.COUNTS_IN_WEEK} and ${fragments.OWED} and ${fragments.MINE}
        and ${fragments.DUE_OR_INFINITY} between :since::date and :until::date
      group by p.due_date) as days
    group by 1 order by 1
    `,
    range,
  );
  return rows;
}

/** The first day about which anything is known: that of the oldest digest or promise. YYYY-MM-DD. */
export async function findFirstDay(db: Db, { userId }: Owner): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { first: string | null }[] }>(
    `
    select to_char(least(
      (select min(digest_date) from digests where user_id = :userId),
      (select min(p.first_said_on) from promises p where p.user_id = :userId and ${fragments.MINE} and p.words <> '')
    ), 'YYYY-MM-DD') as first
    `,
    { userId },
  );
  return rows[0]?.first ?? undefined;
}

/** The conversations with the most messages in a week, most first; muted ones are not among them. */
export async function listBusiest(db: Db, query: Pick<WeekDays, 'userId' | 'monday' | 'sunday'> & { limit: number }) {
  const inWeek = `digests.digest_date between :monday::date and :sunday::date and ${IS_WRITTEN}`;
  const { rows } = await db.raw<Rows>(
    `
    select busiest.*, newest.summary, newest.language, newest.sentence_end, newest.exchanges from (
      select dialogs.id as dialog_id, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone, dialogs.peer_type,
        sum(digests.message_count)::int as messages, min(digests.first_message_at) as first_message_at
      from digests join dialogs on dialogs.id = digests.dialog_id and not dialogs.is_muted
      where digests.user_id = :userId and ${inWeek} group by dialogs.id order by messages desc, dialogs.id limit :limit
    ) as busiest cross join lateral (
      select digests.summary, coalesce(digests.structured ->> 'writtenIn', digests.structured ->> 'language', 'und') as language,
        (digests.sources #>> '{sentences,0,to}')::int as sentence_end, digests.structured -> 'exchanges' as exchanges
      from digests
      where digests.dialog_id = busiest.dialog_id and digests.user_id = :userId and ${inWeek}
      order by digests.digest_date desc limit 1
    ) as newest order by busiest.messages desc, busiest.dialog_id
    `,
    query,
  );
  return rows.map(row => schema.busyDialogRow.parse(row));
}
