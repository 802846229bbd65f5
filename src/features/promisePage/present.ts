import { dayAfter } from '../../lib/timezones.ts';
import { countOf, formatCount, shortDay } from '../../lib/words.ts';
import { isolateName } from '../../lib/writing.ts';
import { nameOf } from '../digests/describeAction.ts';
import { describeRow, laterDays } from './describeRow.ts';
import { type Asked, DUE_GROUPS, type DueGroup, LISTS, type List } from './schema.ts';
import { PER_GROUP, type PromiseBoard } from './service.ts';

/** What is said after a decision on another page. */
export const FLASH_TITLES = {
  ...{ done: 'Kept', undo: 'Still open', dismiss: 'Not a task', snooze: 'Put off', reopen: 'Open again' },
} as const;

const LABELS: Record<List, string> = {
  yours: 'Yours',
  theirs: 'Theirs',
  unassigned: 'Unassigned',
  'put-off': 'Put off',
  closed: 'Closed',
};
const TITLES: Record<DueGroup, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  none: 'No day',
};
const EMPTY: Record<List, string> = {
  yours: 'No open promises. Forenoon finds them in your conversations and lists them here.',
  theirs: 'No one owes you anything. What others promise you is listed here.',
  unassigned: 'No open promises without a name.',
  'put-off': 'Nothing is put off.',
  closed: 'Nothing is closed yet.',
};
/** What the page of promises prints. */
export function presentBoard(board: PromiseBoard, asked: Asked) {
  const { view, dialog, group, page } = asked;
  const here = address({ view, dialog, group, page });
  const groups = groupsOf(board, asked);
  const [chosen] = board.peers.filter(({ id }) => id === dialog);
  return {
    view,
    here,
    heading: headingOf(board, dialog !== undefined),
    views: viewsOf(board, asked),
    peers: peersOf(board, dialog),
    chosen: chosen && nameOf({ dialog: chosen }),
    groups,
    back: group || page > 1 ? address({ view, dialog }) : undefined,
    empty: chosen ? 'Nothing here with this contact.' : EMPTY[view],
    later: laterDays(board.today),
    firstDay: dayAfter(board.today, 1),
    done: changedWords(board),
    isOpenList: view !== 'put-off' && view !== 'closed',
  };
}

type Place = { view: List } & Partial<Pick<Asked, 'dialog' | 'group' | 'page' | 'select' | 'all'>>;

/** Of the page: only what differs from the plain one stands in it. */
function address({ view, page, ...others }: Place): string {
  const named = { ...(view !== 'yours' && { view }), ...others, ...(page && page > 1 && { page: String(page) }) };
  const query = new URLSearchParams(Object.entries(named).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return query.size > 0 ? `/promises?${query}` : '/promises';
}

function groupsOf(board: PromiseBoard, asked: Asked) {
  const byDue = asked.view !== 'put-off' && asked.view !== 'closed';
  return DUE_GROUPS.flatMap(name => {
    const rows = board.rows
      .filter(({ group }) => group === name)
      .map(({ promise }) => describeRow(promise, { ...board, view: asked.view }));
    if (rows.length === 0) return [];
    const total = totalOf(board, asked.view, byDue ? name : undefined);
    const place = { view: asked.view, dialog: asked.dialog, group: byDue ? name : asked.group };
    const shown = (asked.page - 1) * PER_GROUP + rows.length;
    const isSelecting = asked.select === name;
    const selecting = { ...place, group: asked.group, page: asked.page, select: name };
    return {
      name,
      title: titleOf(name, asked.view),
      count: formatCount(total),
      rows: rows.map(row => ({ ...row, isChecked: isSelecting && asked.all === '1' })),
      rest: total > shown ? Math.min(PER_GROUP, total - shown) : 0,
      next: address({ ...place, page: asked.page + 1 }),
      isSelecting,
      select: address(selecting),
      selectAll: address({ ...selecting, all: '1' }),
    };
  });
}

/** What nobody was named for is never overdue. */
function titleOf(name: DueGroup, view: List): string {
  if (view === 'put-off' || view === 'closed') return LABELS[view];
  return name === 'overdue' && view === 'unassigned' ? 'Earlier' : TITLES[name];
}

function totalOf({ counts }: PromiseBoard, list: List, group?: DueGroup): number {
  const those = counts.filter(one => one.list === list && (!group || one.group === group));
  return those.reduce((sum, { count }) => sum + count, 0);
}

function headingOf(board: PromiseBoard, isFiltered: boolean): string {
  const mine = totalOf(board, 'yours');
  const theirs = totalOf(board, 'theirs');
  if (mine + theirs === 0) return '';
  const late = totalOf(board, 'yours', 'overdue');
  const overdue = late === 0 ? '' : `, ${late === mine && late > 1 ? 'all' : formatCount(late)} of them overdue`;
  const you =
    mine === 0 ? 'You owe nothing' : `You owe ${formatCount(mine)}${mine === 1 && late ? ', overdue' : overdue}`;
  const others = isFiltered ? 'You are owed' : 'Others owe you';
  return `${you}. ${others} ${theirs === 0 ? 'nothing' : formatCount(theirs)}.`;
}

function viewsOf(board: PromiseBoard, { view, dialog }: Asked) {
  return LISTS.map(list => ({ list, count: totalOf(board, list) }))
    .filter(({ list, count }) => list !== 'unassigned' || count > 0 || view === list)
    .map(({ list, count }) => ({
      href: address({ view: list, dialog }),
      label: LABELS[list],
      count: formatCount(count),
      isCurrent: list === view,
    }));
}

function peersOf({ peers }: PromiseBoard, chosen: string | undefined) {
  const named = peers.map(dialog => ({ id: dialog.id, name: nameOf({ dialog }), isChosen: dialog.id === chosen }));
  return named.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** The line with Undo. */
function changedWords({ changed, today }: PromiseBoard) {
  const [first] = changed;
  if (!first) return undefined;
  const { id, state, snoozedUntil, changedAt } = first;
  const many = changed.length > 1;
  const told = many
    ? countOf(changed.length, 'promise', 'promises')
    : isolateName(first.words, nameOf({ dialog: first }));
  const what = {
    ...{
      done: many ? `${told} done` : `Done: ${told}`,
      dismissed: `Not a task: ${told}`,
      cancelled: `Cancelled: ${told}`,
    },
    ...{ open: `Open again: ${told}`, withdrawn: `Withdrawn: ${told}` },
    snoozed: `Back on ${snoozedUntil ? shortDay(snoozedUntil, today) : 'another day'}: ${told}`,
  };
  const at = String(changedAt.getTime());
  return {
    words: what[state],
    undo: many ? '/promises' : `/promises/${id}`,
    fields: many ? { action: 'undo', at } : { action: 'undo' },
  };
}
