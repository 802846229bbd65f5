import { formatCount, nearDay } from '../../../lib/words.ts';
import { type Counts, VIEWS, type View } from './rules.ts';
import { addressOf } from './schema.ts';
import type { DayOverview } from './service.ts';

const DAYS_BESIDE = 5;

export const VIEW_LABELS: Record<View, string> = {
  today: 'Today',
  urgent: 'Urgent',
  pinned: 'Pinned',
  unmatched: 'No match',
  everything: 'Everything',
  failed: 'Failed',
  skipped: 'Skipped',
};

type Among = { day: string | undefined; q: string };

/** A view without rows gets no link, and a single view is no choice. A search has no plain page. */
export function listViews(counts: Counts, current: View, among: Among) {
  const plain: View = among.q === '' ? 'today' : 'everything';
  const shown = VIEWS.filter(view => view === plain || (view !== 'today' && (view === current || counts[view] > 0)));
  if (shown.length === 1) return [];
  return shown.map(view => ({
    key: view,
    label: view === 'today' && among.day ? 'The day' : VIEW_LABELS[view],
    count: view === 'today' && among.day ? '' : formatCount(counts[view]),
    href: addressOf({ ...among, view: view === plain ? 'today' : view }),
    isCurrent: view === current,
    isElsewhere: false,
  }));
}

/**
 * The newest days and the one shown; the others are in a table.
 * @param shown how many digests the shown day has; undefined if the page shows no day
 */
export function presentDays({ days, day, today }: DayOverview, shown: number | undefined) {
  const dates = new Map(days.slice(0, DAYS_BESIDE).map(({ date, total }) => [date, total]));
  if (!dates.has(today)) dates.set(today, 0);
  if (shown !== undefined) dates.set(day, shown);
  const links = [...dates]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([date, total]) => ({
      key: date,
      label: nearDay(date, today),
      count: formatCount(total),
      href: addressOf({ day: date === today ? undefined : date }),
      isCurrent: shown !== undefined && date === day,
      isElsewhere: false,
    }));
  const table = { href: addressOf({ view: 'table' }), isElsewhere: true };
  const earlier = { key: 'earlier', label: 'Earlier', count: '', isCurrent: false, ...table };
  return days.length > DAYS_BESIDE ? [...links, earlier] : links;
}
