import { dayAfter, mondayOf } from '../../../lib/timezones.ts';
import { daysBetween, monthOf } from '../../../lib/words.ts';

/** Days that share one line: without a row, or several alike in a row. YYYY-MM-DD, oldest and newest. */
export type Span = { from: string; to: string };

/**
 * The days without a row between two rows of a timeline; undefined where there are none. Both `newer` and `older` are
 * exclusive.
 */
export function gapBetween(newer: string, older: string): Span | undefined {
  const [from, to] = [dayAfter(older, 1), dayAfter(newer, -1)];
  return from <= to ? { from, to } : undefined;
}

/** Groups neighbors for which `areAlike` holds; the order, newest first, stays. */
export function mergeRuns<T>(rows: readonly T[], areAlike: (one: T, next: T) => boolean): T[][] {
  const runs: T[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last !== undefined && areAlike(last, row)) run.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** The heading of a day: weeks begin on Monday, older days are grouped by month. */
export function periodOf(day: string, today: string): { id: string; title: string } {
  const monday = mondayOf(today);
  if (day >= monday) return { id: 'this-week', title: 'This week' };
  if (daysBetween(day, monday) <= 7) return { id: 'last-week', title: 'Last week' };
  return { id: `m-${day.slice(0, 7)}`, title: monthOf(day, today) };
}
