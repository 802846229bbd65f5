import type { Db, Owner } from '../../../lib/db.ts';
import { buildWordCondition, wordBindings } from '../../digests/fragments.ts';
import * as sql from '../fragments.ts';
import type { Choice } from '../repo.ts';
import { SETTLED_STATES, TRANSITIONS, type UserMoment } from '../rules.ts';
import { promiseRow, type SourcedPromise, sourcedPromiseRow, type UserPromise } from '../schema.ts';
import { DUE_GROUPS, type DueGroup, type List } from './schema.ts';

const toSqlList = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ');

/** Days for which a withdrawn promise is still offered. */
const WITHDRAWN_DAYS = 30;

/** Conditions and order of each list of `promises p`. `:today` is the user's current day. */
const LISTS: Record<List, { where: string; order: string }> = {
  yours: { where: `${sql.OPEN_TODAY} and p.direction = 'mine'`, order: sql.BY_DUE },
  theirs: { where: `${sql.OPEN_TODAY} and p.direction = 'theirs'`, order: sql.BY_DUE },
  unassigned: { where: `${sql.OPEN_TODAY} and p.direction = 'unassigned'`, order: sql.BY_DUE },
  'put-off': { where: sql.PUT_OFF, order: 'p.snoozed_until, p.id' },
  closed: { where: `p.state in (${toSqlList(SETTLED_STATES)})`, order: 'p.changed_at desc, p.id' },
  withdrawn: {
    where: `p.state = '${TRANSITIONS.withdraw.to}' and p.changed_at > (:today::date - ${WITHDRAWN_DAYS})`,
    order: 'p.changed_at desc, p.id',
  },
};
/** First and last day of each group; `infinity` for none. */
const DAYS_OF_GROUPS: Record<DueGroup, [first: string, last: string]> = {
  overdue: [`'-infinity'`, `:today::date - 1`],
  today: [`:today::date`, `:today::date`],
  asked: [`'-infinity'`, `:today::date`],
  week: [`:today::date + 1`, `:weekEnd::date`],
  later: [`greatest(:today::date, :weekEnd::date) + 1`, `'9999-12-31'`],
  none: [`'infinity'`, `'infinity'`],
  past: [`'-infinity'`, `:today::date - 1`],
};
/** SQL condition of a group. Appointments and deadlines are neither overdue nor asked about. */
const groupCondition = (group: DueGroup) => {
  if (group === 'overdue') return sql.OVERDUE;
  if (group === 'asked') return sql.MAYBE_SETTLED_DUE;
  if (group === 'today') return sql.DUE_TODAY;
  const days = `${sql.DUE_OR_INFINITY} between ${DAYS_OF_GROUPS[group].join(' and ')}`;
  return group === 'past' ? `${days} and p.kind <> 'promise'` : days;
};

/** Requested part of a list; `weekEnd` is the last day of the group `week`. */
type ListFilter = Owner &
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
function narrowSource({ userId, dialogId, words }: Pick<ListFilter, 'userId' | 'dialogId' | 'words'>, kind: string) {
  const only = [
    dialogId && 'and p.dialog_id = :dialogId',
    words && `and ${buildWordCondition(words, { text: 'p.search', dialog: 'p.dialog_id' })}`,
  ].filter(Boolean);
  const narrowed = `promises p where p.user_id = :userId and p.words <> '' ${only.join(' ')}`;
  const bindings = { dialogId: dialogId ?? null, ...wordBindings(words ?? [], userId) };
  if (only.length === 0) return { sought: '', from: 'promises p', narrowed, bindings };
  return {
    sought: `with sought as materialized (select p.* from ${narrowed} and ${kind})`,
    from: 'sought p',
    narrowed,
    bindings,
  };
}

const SAID_BEFORE = 'p.due_date is null and p.last_said_on < :saidBefore::date';

/**
 * The first promises of each group, or those of one group from an offset on; a list without days is one group. Each
 * group is read separately, in the order of its index, so that none reads more than it shows.
 */
export async function listGroups(
  db: Db,
  { userId, list, group: only, ...query }: ListFilter & { group?: DueGroup | undefined; limit: number; offset: number },
): Promise<{ group: DueGroup; promise: SourcedPromise }[]> {
  const byDue = LISTS[list].order.startsWith(sql.DUE_OR_INFINITY);
  const { sought, from, bindings } = narrowSource({ userId, ...query }, LISTS[list].where);
  const selectGroup = (group: DueGroup) => `
    (select '${group}' as "group", ${sql.SOURCED_COLUMNS} from ${from} join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.words <> '' and ${LISTS[list].where}
      ${byDue ? `and ${groupCondition(group)}` : ''}
      ${query.saidBefore ? `and ${SAID_BEFORE}` : ''}
    order by ${LISTS[list].order} limit :limit offset :offset)`;
  const groups = byDue ? DUE_GROUPS.filter(name => !only || name === only) : (['none'] as const);
  const { rows } = await db.raw<{ rows: { group: DueGroup }[] }>(
    `${sought} ${groups.map(selectGroup).join(' union all ')}`,
    { userId, ...query, ...bindings },
  );
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
export async function countGroups(
  db: Db,
  { userId, ...query }: Omit<ListFilter, 'list'> & { saidBefore: string },
): Promise<GroupCount[]> {
  const { sought, from, narrowed, bindings } = narrowSource({ userId, ...query }, sql.LIVE);
  const rows = `from ${from} where p.user_id = :userId and p.words <> ''`;
  const ranges = DUE_GROUPS.filter(group => group !== 'past' && group !== 'asked').map(
    group => `('${group}', ${DAYS_OF_GROUPS[group].map(day => `(${day})::date`).join(', ')})`,
  );
  const { rows: counts } = await db.raw<{ rows: (GroupCount & { late: number; asked: number })[] }>(
    `
    ${sought}
    select sides.list, days."group", counted.*
    from (values ${Object.entries(SIDES)
      .map(([list, side]) => `('${list}', '${side}')`)
      .join(', ')}) as sides (list, direction),
      (values ${ranges.join(', ')}) as days ("group", first, last),
      lateral (select count(*)::int as count, count(*) filter (where ${sql.OVERDUE})::int as late,
          count(*) filter (where ${sql.MAYBE_SETTLED_DUE})::int as asked,
          count(*) filter (where ${SAID_BEFORE})::int as old
        ${rows} and ${sql.OPEN_TODAY} and p.direction = sides.direction and ${sql.DUE_OR_INFINITY} between days.first and days.last) as counted
    union all
    select 'put-off', 'none', count(*)::int, 0, 0, 0 ${rows} and ${LISTS['put-off'].where}
    union all
    select 'closed', 'none', count(*)::int, 0, 0, 0
    from (select from ${narrowed} and ${LISTS.closed.where} limit ${MAX_COUNTED}) as closed
    `,
    { userId, ...query, ...bindings },
  );
  return counts.flatMap(({ late, asked: unsure, ...counted }): GroupCount[] => {
    const { group, count } = counted;
    if (group !== 'overdue' && group !== 'today') return [counted];
    return [
      { ...counted, group: 'overdue', count: late, old: 0 },
      { ...counted, group: 'asked', count: unsure, old: 0 },
      // Appointments and deadlines are past, never overdue.
      { ...counted, group: group === 'today' ? group : 'past', count: count - late - unsure },
    ];
  });
}

/** The conversations in which something is open, headed by the one that is asked for. */
export async function listPeers(db: Db, query: Owner & { dialogId?: string | undefined; limit: number }) {
  const { rows } = await db.raw<{ rows: Choice[] }>(
    `
    select d.id, d.peer_name as "peerName", d.peer_username as "peerUsername", d.peer_phone as "peerPhone" from dialogs d
    where d.user_id = :userId and (d.id = :dialogId::uuid or exists (
      select from promises p where p.user_id = :userId and p.dialog_id = d.id and p.words <> '' and ${sql.LIVE}))
    order by d.id is not distinct from :dialogId::uuid desc, d.peer_name, d.id limit :limit
    `,
    { ...query, dialogId: query.dialogId ?? null },
  );
  return rows;
}

type WhichChanged = Owner & { today: string; ids?: string[] | undefined; at?: Date | undefined };

/** The promises, by id or by the moment of a decision, whose last change was the person's and can be undone. */
export async function listUndoablePromises(db: Db, { userId, today, ids, at }: WhichChanged): Promise<UserPromise[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select ${sql.COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.changed_by = 'person' and p.previous is not null
      and ${ids ? 'p.id = any(:ids::uuid[])' : 'p.changed_at = :at'} order by ${sql.DUE_OR_INFINITY}, p.id limit 500
    `,
    { userId, today, ids: ids ?? null, at: at ?? null },
  );
  return rows.map(row => promiseRow.parse(row));
}
