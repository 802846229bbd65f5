import { dayAfter, dayBefore, mondayOf } from '../../../lib/timezones.ts';
import type { WeekOfChart } from './schema.ts';

const DAYS = 7;
/** The number of weeks in the chart, including the one shown. */
const CHART_WEEKS = 8;

/**
 * The Monday of the week that is shown: of the week `asked` for, by default the present one. It is neither before the
 * first week known nor in the future, which can't be looked back on. @param days all YYYY-MM-DD
 */
export function chooseWeek(days: { asked?: string | undefined; first: string | undefined; today: string }): string {
  const present = mondayOf(days.today);
  const first = days.first && days.first < present ? mondayOf(days.first) : present;
  const wanted = days.asked ? mondayOf(days.asked) : present;
  return wanted < first ? first : wanted > present ? present : wanted;
}

/** The Monday with which the chart begins. @param week the Mondays of the week shown and of the first week there is */
export function firstOfChart(week: { monday: string; firstMonday: string }): string {
  const earliest = dayBefore(week.monday, (CHART_WEEKS - 1) * DAYS);
  return earliest < week.firstMonday ? week.firstMonday : earliest;
}

/** Adds the weeks in which nothing was due. */
export function fillWeeks(counted: readonly WeekOfChart[], { since, until }: { since: string; until: string }) {
  const known = new Map(counted.map(week => [week.monday, week]));
  const weeks: WeekOfChart[] = [];
  for (let monday = since; monday <= until; monday = dayAfter(monday, DAYS)) {
    weeks.push(known.get(monday) ?? { monday, due: 0, kept: 0 });
  }
  return weeks;
}

/** The address of a week's page. @param monday YYYY-MM-DD, as `today` */
export function addressOfWeek(monday: string, today: string): string {
  return monday === mondayOf(today) ? '/week' : `/week?week=${monday}`;
}
