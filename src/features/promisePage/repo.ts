import { containing, type Db } from '../../lib/db.ts';
import { COLUMNS, DUE, LIVE, OPEN_TODAY, SOURCED_COLUMNS } from '../promises/repo.ts';
import { SETTLED_STATES } from '../promises/rules.ts';
import { type LedgerPromise, promiseRow, type SourcedPromise, sourcedPromiseRow } from '../promises/schema.ts';
import { DUE_GROUPS, type DueGroup, type List } from './schema.ts';

type Owner = { userId: string };
const quoted = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ');

/** What is in each list, and in which order, of `promises p`. `:today` is the user’s present day. */
const LISTS: Record<List, { in: string; order: string }> = {
  yours: { in: `${OPEN_TODAY} and p.direction = 'mine'`, order: `${DUE}, p.due_time, p.id` },
  theirs: { in: `${OPEN_TODAY} and p.direction = 'theirs'`, order: `${DUE}, p.due_time, p.id` },
  unassigned: { in: `${OPEN_TODAY} and p.direction = 'unassigned'`, order: `${DUE}, p.due_time, p.id` },
  'put-off': { in: `${LIVE} and p.snoozed_until > :today::date`, order: 'p.snoozed_until, p.id' },
  closed: { in: `p.state in (${quoted(SETTLED_STATES)})`, order: 'p.changed_at desc, p.id' },
};
/** Days up to and with the end of the week; `infinity` is no day. */
const GROUP_OF_DUE = `case when p.due_date is null then 'none' when p.due_date < :today::date then 'overdue'
  when p.due_date = :today::date then 'today' when p.due_date <= :weekEnd::date then 'week' else 'later' end`;
const DAYS_OF_GROUPS: Record<DueGroup, string> = {
  overdue: `< :today::date`,
  today: `= :today::date`,
  week: `between :today::date + 1 and :weekEnd::date`,
  later: `between greatest(:today::date, :weekEnd::date) + 1 and '9999-12-31'`,
  none: `= 'infinity'`,
};

/** What a list of the page is asked for with; `weekEnd` is the last day of the group `week`. */
export type ListAsked = Owner & {
  list: List;
  today: string;
  weekEnd: string;
  dialogId?: string | undefined;
  /** In the words of the promise, or in the name of the conversation. */
  q?: string | undefined;
  /** Only promises without a day that were said before this one. */
  saidBefore?: string | undefined;
};
/** Of `promises p join dialogs`. */
function narrowed({ dialogId, q, saidBefore }: Pick<ListAsked, 'dialogId' | 'q' | 'saidBefore'>): string {
  return [
    dialogId && 'and p.dialog_id = :dialogId',
    q && `and (p.words ilike :like or dialogs.peer_name ilike :like)`,
    saidBefore && 'and p.due_date is null and p.last_said_on < :saidBefore::date',
  ]
    .filter(Boolean)
    .join(' ');
}

function bindingsOf({ dialogId, q, saidBefore }: Pick<ListAsked, 'dialogId' | 'q' | 'saidBefore'>) {
  return { dialogId: dialogId ?? null, like: containing(q ?? ''), saidBefore: saidBefore ?? null };
}

type Slice = { group?: DueGroup | undefined; limit: number; offset: number };

/**
 * The first ones of each group, or of one group those from an offset on; a list without days is one group. Each group is
 * read separately, in the order of its index, so that none reads more than it shows.
 */
export async function listGroups(
  db: Db,
  { userId, list, group: only, ...asked }: ListAsked & Slice,
): Promise<{ group: DueGroup; promise: SourcedPromise }[]> {
  const byDue = LISTS[list].order.startsWith(DUE);
  const of = (group: DueGroup) => `
    (select '${group}' as "group", ${SOURCED_COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.words <> '' and ${LISTS[list].in}
      ${byDue ? `and ${DUE} ${DAYS_OF_GROUPS[group]}` : ''} ${narrowed(asked)}
    order by ${LISTS[list].order} limit :limit offset :offset)`;
  const groups = byDue ? DUE_GROUPS.filter(name => !only || name === only) : (['none'] as const);
  const { rows } = await db.raw<{ rows: { group: DueGroup }[] }>(groups.map(of).join(' union all '), {
    userId,
    ...asked,
    ...bindingsOf(asked),
  });
  return rows.map(({ group, ...row }) => ({ group, promise: sourcedPromiseRow.parse(row) }));
}

/** `old` are those without a day that were last said before `saidBefore`. */
export type GroupCount = { list: List; group: DueGroup; count: number; old: number };

/** More closed ones than these are not counted: there may be as many as a year has. */
export const MOST_COUNTED = 1000;

/** How many there are, by list and group, in one statement; of the closed ones at most 1,000. */
export async function countGroups(
  db: Db,
  { userId, saidBefore, ...asked }: Omit<ListAsked, 'list'> & { saidBefore: string },
): Promise<GroupCount[]> {
  const from = `from promises p ${asked.q ? 'join dialogs on dialogs.id = p.dialog_id' : ''}
    where p.user_id = :userId and p.words <> '' ${narrowed(asked)}`;
  // Rows of one day are counted together before they are told apart: ten thousand have a few dozen days.
  const { rows } = await db.raw<{ rows: GroupCount[] }>(
    `
    select case when p.is_put_off then 'put-off' when p.direction = 'mine' then 'yours' else p.direction end as list,
      ${GROUP_OF_DUE} as "group", sum(p.count)::int as count, sum(p.old)::int as old
    from (
      select p.direction, p.due_date, coalesce(p.snoozed_until, '-infinity') > :today::date as is_put_off,
        count(*) as count, count(*) filter (where p.due_date is null and p.last_said_on < :saidBefore::date) as old
      ${from} and ${LIVE} group by 1, 2, 3
    ) p group by 1, 2
    union all
    select 'closed', 'none', count(*)::int, 0
    from (select ${from} and ${LISTS.closed.in} limit ${MOST_COUNTED}) as closed
    `,
    { userId, ...asked, ...bindingsOf({ ...asked, saidBefore }) },
  );
  return rows;
}

export type Peer = { id: string; peerName: string; peerUsername: string; peerPhone: string };

/** The conversations in which something is open, and the one that is asked for, first of all. */
export async function listPeers(db: Db, asked: Owner & { dialogId?: string | undefined; limit: number }) {
  const { rows } = await db.raw<{ rows: Peer[] }>(
    `
    select d.id, d.peer_name as "peerName", d.peer_username as "peerUsername", d.peer_phone as "peerPhone" from dialogs d
    where d.user_id = :userId and (d.id = :dialogId::uuid or exists (
      select from promises p where p.user_id = :userId and p.dialog_id = d.id and p.words <> '' and ${LIVE}))
    order by d.id is not distinct from :dialogId::uuid desc, d.peer_name, d.id limit :limit
    `,
    { ...asked, dialogId: asked.dialogId ?? null },
  );
  return rows;
}

type WhichChanged = Owner & { today: string; ids?: string[] | undefined; at?: Date | undefined };

/** What the person decided last of these promises, or of those decided at one moment, as far as it can be undone. */
export async function listChanged(db: Db, { userId, today, ids, at }: WhichChanged): Promise<LedgerPromise[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select ${COLUMNS} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId and p.changed_by = 'person' and p.previous is not null
      and ${ids ? 'p.id = any(:ids::uuid[])' : 'p.changed_at = :at'} order by ${DUE}, p.id limit 500
    `,
    { userId, today, ids: ids ?? null, at: at ?? null },
  );
  return rows.map(row => promiseRow.parse(row));
}
