import { addDays, isOnWeekend } from '../../../lib/timezones.ts';
import { formatCount, formatQuantity, formatShortDay, numberWord } from '../../../lib/words.ts';
import { toPromiseTitle } from '../../digests/quoteSource.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import { presentChoices } from '../present.ts';
import type { PromiseState, UserPromise } from '../schema.ts';
import { presentWaiting } from '../waiting/present.ts';
import { describeRow, findClashes, laterDays } from './describeRow.ts';
import { MAX_COUNTED } from './repo.ts';
import { DUE_GROUPS, type DueGroup, type List, type PromisesQuery, VIEWS, type View } from './schema.ts';
import { PER_GROUP, type PromiseBoard } from './service.ts';

const FLASH_TITLES = {
  done: 'Kept',
  undo: 'Still open',
  dismiss: 'Not a task',
  snooze: 'Put off',
  reopen: 'Open again',
} as const;

/** The title shown after a decision on another page. The undo of an added promise leaves it dismissed. */
export function flashTitle(action: keyof typeof FLASH_TITLES, state: PromiseState): string {
  return action === 'undo' && state === 'dismissed' ? FLASH_TITLES.dismiss : FLASH_TITLES[action];
}

const TITLES: Record<DueGroup, string> = {
  overdue: 'Overdue',
  dueToday: 'Today',
  perhapsSettled: 'Settled?',
  week: 'This week',
  later: 'Later',
  none: 'No day',
  past: 'Past',
};
const EMPTY: Record<View, string> = {
  yours: 'No open promises. Forenoon finds them in your conversations and lists them here.',
  theirs: 'No one owes you anything. What others promise you is listed here.',
  unassigned: 'It’s clear who owes each open promise.',
  waiting: 'No one is waiting for you.',
  'put-off': 'Nothing is put off.',
  closed: 'Nothing is closed yet.',
};

export function presentBoard(board: PromiseBoard, query: PromisesQuery) {
  const { view, dialog, q, group, page, old } = query;
  const here = boardAddress({ view, dialog, q, group, page, old });
  const groups = presentGroups(board, query);
  const [chosen] = board.peers.filter(({ id }) => id === dialog);
  return {
    view,
    dialog,
    here,
    heading: boardHeading(board, isNarrowed(query)),
    views: describeViews(board, query),
    q: q ?? '',
    address: boardAddress(query),
    old: presentOldLink(board, query),
    putOff: view === 'yours' && !group && page === 1 ? presentSnoozedLink(board, query) : undefined,
    peers: presentPeers(board, dialog),
    chosen: chosen && dialogName(chosen),
    groups,
    withdrawn: board.withdrawn.map(promise => describeRow(promise, { ...board, view: 'closed' })),
    waiting: view === 'waiting' ? presentWaiting(board.waiting, { here, more: moreAddress(board, query) }) : undefined,
    back: group || page > 1 || old ? boardAddress({ view, dialog, q }) : undefined,
    empty: emptyWords(query, chosen !== undefined),
    later: laterDays(board.today),
    firstDay: addDays(board.today, 1),
    done: describeChange(board),
  };
}

function moreAddress({ waiting }: PromiseBoard, { view, dialog, q, page }: PromisesQuery): string | undefined {
  const shown = (page - 1) * PER_GROUP + waiting.waits.length;
  return waiting.count > shown ? boardAddress({ view, dialog, q, page: page + 1 }) : undefined;
}

function presentGroups(board: PromiseBoard, { view, ...filter }: PromisesQuery) {
  if (view === 'waiting') return [];
  const place = { ...board, view, clashes: findClashes(board.rows.map(({ promise }) => promise)) };
  const byDue = view !== 'put-off' && view !== 'closed';
  return DUE_GROUPS.flatMap(name => {
    const rows = board.rows.filter(({ group }) => group === name).map(({ promise }) => describeRow(promise, place));
    if (rows.length === 0) return [];
    const total = filter.old ? countOld(board, view) : countInList(board, view, byDue ? name : undefined);
    const { dialog, q, old } = filter;
    const here = { view, dialog, q, old, group: byDue ? name : filter.group };
    const shown = (filter.page - 1) * PER_GROUP + rows.length;
    const rest = isCapped(view, total) && rows.length === PER_GROUP ? PER_GROUP : total - shown;
    const isSelecting = filter.select === name;
    const selecting = { ...here, group: filter.group, page: filter.page, select: name };
    return {
      name,
      title: groupTitle(name, view, board.today),
      count: countWords(view, total),
      rows: rows.map(row => ({ ...row, isChecked: isSelecting && (filter.all === '1' || filter.pick === row.id) })),
      rest: Math.max(0, Math.min(PER_GROUP, rest)),
      next: boardAddress({ ...here, page: filter.page + 1 }),
      isSelecting,
      select: boardAddress(selecting),
      selectAll: boardAddress({ ...selecting, all: '1' }),
    };
  });
}

/** The title of a group. Promises without a known owner are never overdue, so theirs is `Earlier`. */
function groupTitle(name: DueGroup, view: List, today: string): string {
  if (view === 'put-off' || view === 'closed') return LABELS[view];
  if (name === 'week' && isOnWeekend(today)) return 'By the end of next week';
  return name === 'overdue' && view === 'unassigned' ? 'Earlier' : TITLES[name];
}

/** Minimum number of old promises for a link above the list. */
const MIN_OLD_PROMISES = 10;

function presentOldLink(board: BoardCounts, { view, dialog, group, page, old, q }: PromisesQuery) {
  const count = countOld(board, view);
  if (view !== 'yours' || count < MIN_OLD_PROMISES || old || group || q || page > 1) return undefined;
  const words = formatQuantity(count, 'promise is', 'promises are');
  return { words: `${words} older than a month.`, href: boardAddress({ view, dialog, old: '1', select: 'none', all: '1' }) };
}

function countOld({ counts }: BoardCounts, list: View): number {
  return counts.find(count => count.list === list && count.group === 'none')?.old ?? 0;
}

function presentSnoozedLink(board: BoardCounts, { dialog, q }: PromisesQuery) {
  const count = countInList(board, 'put-off');
  return count === 0 ? undefined : { count: formatCount(count), href: boardAddress({ view: 'put-off', dialog, q }) };
}

const isNarrowed = ({ dialog, q }: Pick<PromisesQuery, 'dialog' | 'q'>): boolean => dialog !== undefined || Boolean(q);

function emptyWords({ view, q }: PromisesQuery, isOfContact: boolean): string {
  if (q && view === 'waiting') return `No one found for “${q}”.`;
  if (q) return `No promises found for “${q}”.`;
  return isOfContact ? 'Nothing here with this contact.' : EMPTY[view];
}

/** The numbers and links around the rows, which change with a decision made in place. */
export function presentCounts(board: BoardCounts, { view, ...filter }: PromisesQuery) {
  const byDue = view !== 'put-off' && view !== 'closed' && view !== 'waiting';
  return {
    heading: boardHeading(board, isNarrowed(filter)),
    views: describeViews(board, { view, ...filter }),
    groups:
      byDue && !filter.old ? DUE_GROUPS.map(name => ({ name, count: formatCount(countInList(board, view, name)) })) : [],
  };
}

function boardHeading(board: BoardCounts, isFiltered: boolean): string {
  const mine = countInList(board, 'yours');
  const theirs = countInList(board, 'theirs');
  if (mine + theirs === 0) return '';
  const overdue = countInList(board, 'yours', 'overdue');
  const many = overdue === mine && overdue > 1 ? 'all' : numberWord(overdue).toLowerCase();
  const late = overdue === 0 ? '' : `, ${mine === 1 ? '' : `${many} of them `}overdue`;
  const you = mine === 0 ? 'You owe nothing' : `You owe ${formatCount(mine)}${late}`;
  const others = isFiltered ? 'You are owed' : 'Others owe you';
  return `${you}. ${others} ${theirs === 0 ? 'nothing' : formatCount(theirs)}.`;
}

function presentPeers({ peers }: PromiseBoard, chosen: string | undefined) {
  return presentChoices(peers).map(peer => ({ ...peer, isChosen: peer.id === chosen }));
}

const LABELS: Record<View, string> = {
  yours: 'Yours',
  theirs: 'Theirs',
  unassigned: 'One of you',
  waiting: 'Waiting',
  'put-off': 'Put off',
  closed: 'Closed',
};

export type BoardCounts = Pick<PromiseBoard, 'counts' | 'waiting'>;

/** The views of promises with their numbers, and the one that looks back: a page of its own, of all promises. */
export function describeViews(
  board: BoardCounts,
  { view, dialog, q }: Pick<BoardAddress, 'dialog' | 'q'> & { view: View | 'week' },
) {
  const lists = VIEWS.map(list => ({ list, count: countInList(board, list) }))
    .filter(({ list, count }) => list !== 'unassigned' || count > 0 || view === list)
    .map(({ list, count }) => ({
      href: boardAddress({ view: list, dialog, q }),
      label: LABELS[list],
      count: countWords(list, count),
      isCurrent: list === view,
    }));
  return [...lists, { href: '/week', label: 'The week', count: '', isCurrent: view === 'week' }];
}

type BoardAddress = { view: View } & Partial<
  Pick<PromisesQuery, 'dialog' | 'q' | 'group' | 'page' | 'old' | 'select' | 'all' | 'pick'>
>;

/** The address of the page; it names only what differs from the plain page. */
function boardAddress({ view, page, dialog, q, group, old, select, all, pick }: BoardAddress): string {
  const named = {
    ...(view !== 'yours' && { view }),
    dialog,
    q,
    group,
    old,
    select,
    all,
    pick,
    ...(page && page > 1 && { page: String(page) }),
  };
  const query = new URLSearchParams(Object.entries(named).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return query.size > 0 ? `/promises?${query}` : '/promises';
}

const isCapped = (list: View, count: number): boolean => list === 'closed' && count >= MAX_COUNTED;

const countWords = (list: View, count: number): string => `${formatCount(count)}${isCapped(list, count) ? '+' : ''}`;

function countInList({ counts, waiting }: BoardCounts, list: View, group?: DueGroup): number {
  if (list === 'waiting') return waiting.count;
  const matching = counts.filter(count => count.list === list && (!group || count.group === group));
  return matching.reduce((sum, { count }) => sum + count, 0);
}

const WRITTEN = { add: 'Added', edit: 'Saved' } as const;

/** Report of a decision, with Undo. Undefined without one. */
export function describeChange({ changed, today }: { changed: UserPromise[]; today: string }) {
  const [first] = changed;
  if (!first) return undefined;
  const { id, state, snoozedUntil, changedAt, undoes } = first;
  const many = changed.length > 1;
  const subject = many ? formatQuantity(changed.length, 'promise', 'promises') : toPromiseTitle(first);
  const what = {
    done: many ? `${subject} done` : `Done: ${subject}`,
    dismissed: `Not a task: ${subject}`,
    cancelled: `Cancelled: ${subject}`,
    open: `Open again: ${subject}`,
    withdrawn: `Withdrawn: ${subject}`,
    snoozed: `Back on ${snoozedUntil ? formatShortDay(snoozedUntil, today) : 'another day'}: ${subject}`,
  };
  const at = String(changedAt.getTime());
  const written = many ? null : undoes;
  return {
    words: written ? `${WRITTEN[written]}: ${subject}` : what[state],
    undo: many ? '/promises' : `/promises/${id}`,
    fields: many ? { action: 'undo', at } : { action: 'undo' },
    // An edit changes more than the row, so the list is read again.
    rows: written ? [] : changed.map(one => one.id),
  };
}
