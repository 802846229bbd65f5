import { dayBefore, mondayOf, sundayOf } from '../../lib/timezones.ts';

/**
 * The Monday of the week that a mail on this day looks back on: from Friday on the one that ends, before that the one that is
 * over. @param day YYYY-MM-DD
 */
export function weekToldOn(day: string): string {
  const isEnding = day >= dayBefore(sundayOf(day), 2);
  return isEnding ? mondayOf(day) : dayBefore(mondayOf(day), 7);
}

/** Rows of a list that has so many lines: the last one says how many are left, where there are more. */
export function rowsIn(lines: number, total: number): number {
  return total > lines ? Math.max(0, lines - 1) : total;
}
