import { formatCount } from '../../../lib/words.ts';
import { MOST_COUNTED } from './repo.ts';
import { type Asked, type DueGroup, VIEWS, type View } from './schema.ts';
import type { PromiseBoard } from './service.ts';

export const LABELS: Record<View, string> = {
  yours: 'Yours',
  theirs: 'Theirs',
  unassigned: 'Unassigned',
  waiting: 'Waiting',
  'put-off': 'Put off',
  closed: 'Closed',
};

/** What is counted for the lists of promises. */
export type Counted = Pick<PromiseBoard, 'counts' | 'waiting'>;

/** The views of promises with their numbers, and the one that looks back: a page of its own, of all promises. */
export function describeViews(
  board: Counted,
  { view, dialog, q }: Pick<Place, 'dialog' | 'q'> & { view: View | 'week' },
) {
  const lists = VIEWS.map(list => ({ list, count: totalOf(board, list) }))
    .filter(({ list, count }) => list !== 'unassigned' || count > 0 || view === list)
    .map(({ list, count }) => ({
      href: address({ view: list, dialog, q }),
      label: LABELS[list],
      count: countWords(list, count),
      isCurrent: list === view,
    }));
  return [...lists, { href: '/week', label: 'The week', count: '', isCurrent: view === 'week' }];
}

type Place = { view: View } & Partial<
  Pick<Asked, 'dialog' | 'q' | 'group' | 'page' | 'old' | 'select' | 'all' | 'pick'>
>;

/** The address of the page; it names only what differs from the plain page. */
export function address({ view, page, dialog, q, group, old, select, all, pick }: Place): string {
  const named = {
    ...(view !== 'yours' && { view }),
    ...{ dialog, q, group, old, select, all, pick },
    ...(page && page > 1 && { page: String(page) }),
  };
  const query = new URLSearchParams(Object.entries(named).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return query.size > 0 ? `/promises?${query}` : '/promises';
}

export function isCapped(list: View, count: number): boolean {
  return list === 'closed' && count >= MOST_COUNTED;
}

export function countWords(list: View, count: number): string {
  return `${formatCount(count)}${isCapped(list, count) ? '+' : ''}`;
}

export function totalOf({ counts, waiting }: Counted, list: View, group?: DueGroup): number {
  if (list === 'waiting') return waiting.count;
  const those = counts.filter(one => one.list === list && (!group || one.group === group));
  return those.reduce((sum, { count }) => sum + count, 0);
}
