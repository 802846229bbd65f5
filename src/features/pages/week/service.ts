import type { Timed } from '../../../lib/clock.ts';
import { addDays, mondayOf, startOfDay, subtractDays, sundayOf } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { toUserMoment } from '../../promises/rules.ts';
import { getWaiting } from '../../promises/waiting/service.ts';
import { countByWeek, countLists, findFirstDay, listBusiest, listWeek } from './repo.ts';
import type { WeekList, WeekOfChart } from './schema.ts';

type WeekRequest = {
  userId: string;
  /** Any day of the week, YYYY-MM-DD; default the present day. A day out of bounds means the nearest week there is. */
  week?: string | undefined;
  /** Maximum length of each list of promises. */
  promiseLimit: number;
  only?: WeekList | undefined;
  offset?: number;
  /** Maximum number of people who wait, and of conversations. */
  conversationLimit?: number;
};

const MAX_ROWS = 3;

/** The user's promises of a week, Monday to Sunday in their time zone. All days are YYYY-MM-DD. */
export async function readWeek(deps: Timed, request: WeekRequest) {
  const { db, clock } = deps;
  const { userId, promiseLimit, only, offset = 0, conversationLimit = MAX_ROWS } = request;
  const now = clock.now();
  const [config, first] = await Promise.all([getSettings({ db }, { userId }), findFirstDay(db, { userId })]);
  const { timezone } = config;
  const moment = toUserMoment(now, timezone);
  const { today } = moment;
  const monday = chooseWeek({ week: request.week, first, today });
  const sunday = sundayOf(monday);
  const firstMonday = chooseWeek({ week: first, first, today });
  const earliest = subtractDays(monday, (CHART_WEEKS - 1) * DAYS_PER_WEEK);
  const since = earliest < firstMonday ? firstMonday : earliest;
  const days = { userId, ...moment, monday, sunday, nextSunday: addDays(sunday, 7) };
  const [counts, listed, waiting, moved, byWeek] = await Promise.all([
    countLists(db, days),
    listWeek(db, { ...days, only, limit: promiseLimit, offset }),
    getWaiting(deps, { userId, config, limit: conversationLimit, askedBefore: startOfDay(addDays(sunday, 1), timezone) }),
    listBusiest(db, { ...days, limit: conversationLimit }),
    countByWeek(db, { userId, since, until: subtractDays(monday, 1) }),
  ]);
  return {
    monday,
    sunday,
    ...moment,
    timezone,
    now,
    counts,
    /** The Monday of the first week about which anything is known. */
    firstMonday,
    /** The first ones of each list, in its order. */
    listed,
    /** Questions asked by the end of the week and still unanswered, longest wait first. */
    waiting,
    /** Conversations with the most messages, most first. */
    moved,
    isPresent: monday === mondayOf(today),
    /** Whether anything was read or promised before; otherwise this is the page of a new user. */
    isBegun: first !== undefined,
    /** At most eight weeks up to the shown one, oldest first. */
    chart: [...fillWeeks(byWeek, { since, before: monday }), { monday, due: counts.due, kept: counts.kept }],
  };
}
export type Week = Awaited<ReturnType<typeof readWeek>>;

const DAYS_PER_WEEK = 7;
/** The number of weeks in the chart, including the one shown. */
const CHART_WEEKS = 8;

/**
 * The Monday of the week to show: that of `week`, by default the present one. It is neither before the first week known
 * nor in the future, which can't be looked back on. @param days all YYYY-MM-DD
 */
function chooseWeek(days: { week?: string | undefined; first: string | undefined; today: string }): string {
  const present = mondayOf(days.today);
  const first = days.first && days.first < present ? mondayOf(days.first) : present;
  const monday = days.week ? mondayOf(days.week) : present;
  if (monday < first) return first;
  return monday > present ? present : monday;
}

/** Adds the weeks in which nothing was due. */
function fillWeeks(counted: readonly WeekOfChart[], { since, before }: { since: string; before: string }) {
  const known = new Map(counted.map(week => [week.monday, week]));
  const weeks: WeekOfChart[] = [];
  for (let monday = since; monday < before; monday = addDays(monday, DAYS_PER_WEEK)) {
    weeks.push(known.get(monday) ?? { monday, due: 0, kept: 0 });
  }
  return weeks;
}

/** The address of a week's page. @param monday YYYY-MM-DD, as `today` */
export function addressOfWeek(monday: string, today: string): string {
  return monday === mondayOf(today) ? '/week' : `/week?week=${monday}`;
}
