import { dayBefore, mondayOf, sundayOf } from '../../../lib/timezones.ts';

/**
 * The Monday of the week that a mail on this day looks back on: from Friday on, the week that is ending; before that,
 * the previous one. @param day YYYY-MM-DD
 */
export function weekReportedOn(day: string): string {
  const isEnding = day >= dayBefore(sundayOf(day), 2);
  return isEnding ? mondayOf(day) : dayBefore(mondayOf(day), 7);
}

/** How many rows fit in a list of so many lines: if there are more rows, the last line says how many are left. */
export function rowsIn(lines: number, total: number): number {
  return total > lines ? Math.max(0, lines - 1) : total;
}
