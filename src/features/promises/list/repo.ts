import type { Db, UserKey } from '../../../lib/db.ts';
import { joinSql, NO_SQL, rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { matchWords } from '../../digests/fragments.ts';
import * as fragments from '../fragments.ts';
import type { DialogChoice } from '../repo.ts';
import { TRANSITIONS, type UserMoment } from '../rules.ts';
import { promiseRow, type SourcedPromise, sourcedPromiseRow, type UserPromise } from '../schema.ts';
import { type DecisionQuery, DUE_GROUPS, type DueGroup, type List } from './schema.ts';

const WITHDRAWN_DAYS = 30;

/** Conditions and order of each list of `promises p`. */
const LISTS: Record<List, { where: (moment: UserMoment) => Sql; order: Sql }> = {
  yours: { where: moment => sql`${fragments.openOn(moment)} and ${fragments.MINE}`, order: fragments.BY_DUE },
  theirs: { where: moment => sql`${fragments.openOn(moment)} and ${fragments.THEIRS}`, order: fragments.BY_DUE },
  unassigned: { where: moment => sql`${fragments.openOn(moment)} and p.direction = 'unassigned'`, order: fragments.BY_DUE },
  'put-off': { where: fragments.putOff, order: sql`p.snoozed_until, p.id` },
  closed: { where: () => fragments.SETTLED, order: sql`p.changed_at desc, p.id` },
  withdrawn: {
    where: ({ today }) => sql`p.state = ${TRANSITIONS.withdraw.to} and p.changed_at > (${today}::date - ${WITHDRAWN_DAYS})`,
    order: sql`p.changed_at desc, p.id`,
  },
};

/** First and last day of each range that is counted; `infinity` for none. */
function daysOfRanges({ today, weekEnd }: { today: string; weekEnd: string }) {
  const present = sql`${today}::date`;
  return {
    past: [sql`'-infinity'`, sql`${present} - 1`],
    dueToday: [present, present],
    week: [sql`${present} + 1`, sql`${weekEnd}::date`],
    later: [sql`greatest(${present}, ${weekEnd}::date) + 1`, sql`'9999-12-31'`],
    none: [sql`'infinity'`, sql`'infinity'`],
  } as const satisfies Partial<Record<DueGroup, readonly [Sql, Sql]>>;
}

function isInGroup(group: DueGroup, filter: UserMoment & { weekEnd: string }): Sql {
  if (group !== 'week' && group !== 'later' && group !== 'none') return fragments.stands(group, filter);
  return sql`${fragments.DUE_OR_INFINITY} between ${joinSql(daysOfRanges(filter)[group], ' and ')}`;
}

/** Requested part of a list; `weekEnd` is the last day of the group `week`. */
type ListFilter = UserKey &
  UserMoment & {
    list: List;
    weekEnd: string;
    dialogId?: string | undefined;
    /** All must occur in the promise or the conversation's name; folded by `foldWords`. */
    words?: readonly string[] | undefined;
    /** Only promises without a day that were said before this one. */
    saidBefore?: string | undefined;
  };

/**
 * The rows of `promises p` that a statement is about: all of the user's of a kind, or, as `sought`, only those of one
 * conversation or with these words. `sought` is looked up once, however many groups are listed or counted.
 */
function narrowSource({ userId, dialogId, words }: Pick<ListFilter, 'userId' | 'dialogId' | 'words'>, kind: Sql) {
  const searched = { userId, text: sql`p.search`, isIndexed: true, dialog: sql`p.dialog_id` };
  const ofDialog = dialogId ? sql`and p.dialog_id = ${dialogId}` : NO_SQL;
  const withWords = words ? sql`and ${matchWords(words, searched)}` : NO_SQL;
  const narrowed = sql`promises p where p.user_id = ${userId} and p.words <> '' ${ofDialog} ${withWords}`;
  if (!dialogId && !words) return { sought: NO_SQL, from: sql`promises p`, narrowed };
  return {
    sought: sql`with sought as materialized (select p.* from ${narrowed} and ${kind})`,
    from: sql`sought p`,
    narrowed,
  };
}

const saidBefore = (day: string) => sql`p.due_date is null and p.last_said_on < ${day}::date`;

/**
 * The first promises of each group, or those of one group from an offset on; a list without days is one group. Each
 * group is read separately, in the order of its index, so that none reads more than it shows.
 */
export async function listDueGroups(
  db: Db,
  { group: only, limit, offset, ...filter }: ListFilter & { group?: DueGroup | undefined; limit: number; offset: number },
): Promise<{ group: DueGroup; promise: SourcedPromise }[]> {
  const { where, order } = LISTS[filter.list];
  const byDue = order === fragments.BY_DUE;
  const { sought, from } = narrowSource(filter, where(filter));
  const selectGroup = (group: DueGroup) => sql`
    (select ${rawSql(`'${group}'`)} as "group", ${fragments.selectSourcedColumns(filter)}
    from ${from} join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${filter.userId} and p.words <> '' and ${where(filter)}
      ${byDue ? sql`and ${isInGroup(group, filter)}` : NO_SQL}
      ${filter.saidBefore ? sql`and ${saidBefore(filter.saidBefore)}` : NO_SQL}
    order by ${order} limit ${limit} offset ${offset})`;
  const groups = byDue ? DUE_GROUPS.filter(name => !only || name === only) : (['none'] as const);
  const listed = sql`${sought} ${joinSql(groups.map(selectGroup), ' union all ')}`;
  const rows = await listed.rows<{ group: DueGroup }>(db);
  return rows.map(({ group, ...row }) => ({ group, promise: sourcedPromiseRow.parse(row) }));
}

/** `old` are those without a day that were last said before `saidBefore`. */
export type GroupCount = { list: List; group: DueGroup; count: number; old: number };

/** Counting closed promises stops here: there may be a whole year's. */
export const MAX_COUNTED = 1000;

const SIDES = { yours: 'mine', theirs: 'theirs', unassigned: 'unassigned' } as const;

/**
 * Counts promises by list and group in one statement, closed ones up to 1,000. Each range of days is one of the index,
 * counted as it is read: sorting ten thousand rows into groups takes three times as long.
 */
export async function countDueGroups(
  db: Db,
  { userId, saidBefore: oldDay, ...filter }: Omit<ListFilter, 'list'> & { saidBefore: string },
): Promise<GroupCount[]> {
  const { sought, from, narrowed } = narrowSource({ userId, ...filter }, fragments.LIVE);
  const rows = sql`from ${from} where p.user_id = ${userId} and p.words <> ''`;
  const sides = Object.entries(SIDES).map(([list, side]) => rawSql(`('${list}', '${side}')`));
  const ranges = Object.entries(daysOfRanges(filter)).map(
    ([group, [first, last]]) => sql`(${rawSql(`'${group}'`)}, (${first})::date, (${last})::date)`,
  );
  const counts = await sql`
    ${sought}
    select sides.list, days."group", counted.*
    from (values ${joinSql(sides, ', ')}) as sides (list, direction),
      (values ${joinSql(ranges, ', ')}) as days ("group", first, last),
      lateral (select count(*)::int as count, count(*) filter (where ${fragments.stands('overdue', filter)})::int as overdue,
          count(*) filter (where ${fragments.stands('perhapsSettled', filter)})::int as "perhapsSettled",
          count(*) filter (where ${saidBefore(oldDay)})::int as old
        ${rows} and ${fragments.openOn(filter)} and p.direction = sides.direction
          and ${fragments.DUE_OR_INFINITY} between days.first and days.last) as counted
    union all
    select 'put-off', 'none', count(*)::int, 0, 0, 0 ${rows} and ${fragments.putOff(filter)}
    union all
    select 'closed', 'none', count(*)::int, 0, 0, 0
    from (select from ${narrowed} and ${fragments.SETTLED} limit ${MAX_COUNTED}) as closed
  `.rows<GroupCount & { overdue: number; perhapsSettled: number }>(db);
  return counts.flatMap(({ overdue, perhapsSettled, ...counted }): GroupCount[] => {
    const { group, count } = counted;
    if (group !== 'past' && group !== 'dueToday') return [counted];
    return [
      { ...counted, group: 'overdue', count: overdue, old: 0 },
      { ...counted, group: 'perhapsSettled', count: perhapsSettled, old: 0 },
      { ...counted, count: count - overdue - perhapsSettled },
    ];
  });
}

/** The conversations in which something is open, headed by the one that is asked for. */
export async function listPeers(
  db: Db,
  { userId, dialogId = null, limit }: UserKey & { dialogId?: string | null | undefined; limit: number },
) {
  return sql`
    select d.id, d.peer_name as "peerName", d.peer_username as "peerUsername", d.peer_phone as "peerPhone" from dialogs d
    where d.user_id = ${userId} and (d.id = ${dialogId}::uuid or exists (
      select from promises p where p.user_id = ${userId} and p.dialog_id = d.id and p.words <> '' and ${fragments.LIVE}))
    order by d.id is not distinct from ${dialogId}::uuid desc, d.peer_name, d.id limit ${limit}
  `.rows<DialogChoice>(db);
}

type WhichChanged = UserKey & UserMoment & DecisionQuery;

/** The promises, by id or by the moment of a decision, whose last change was the person's and can be undone. */
export async function listUndoablePromises(
  db: Db,
  { userId, today, timeOfDay, ...decided }: WhichChanged,
): Promise<UserPromise[]> {
  const isDecided = 'ids' in decided ? sql`p.id = any(${decided.ids}::uuid[])` : sql`p.changed_at = ${decided.at}`;
  return sql`
    select ${fragments.selectColumns({ today, timeOfDay })} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} and p.changed_by = 'person' and p.previous is not null
      and ${isDecided}
    order by ${fragments.DUE_OR_INFINITY}, p.id limit 500
  `.read(db, promiseRow);
}
