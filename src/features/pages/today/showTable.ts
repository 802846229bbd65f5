import type { Request, Response } from 'express';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser } from '../../../http/request.ts';
import { subtractDays } from '../../../lib/timezones.ts';
import { formatCount, formatNearDay, formatShortDay } from '../../../lib/words.ts';
import { formatFirstDay } from '../../digests/present.ts';
import { type DigestDay, type DigestDayWithStart, hasDigests, listDigestDaysWithStart } from '../../digests/repo.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import { presentDays, presentWithoutRows } from './present.ts';
import { todayPath } from './schema.ts';
import { getDayIn, getTodayContext, type TodayContext, type TodayDeps } from './service.ts';

const DAYS_A_PAGE = 30;

/** The days with digests, as a table, with the plot of the last 30. */
export async function showTable(
  deps: TodayDeps & { render: Renderer },
  req: Request,
  res: Response,
  { page }: { page: number },
) {
  const userId = currentUser(req).id;
  const context = await getTodayContext(deps, { userId });
  const { today } = context;
  const until = subtractDays(today, (page - 1) * DAYS_A_PAGE);
  const since = subtractDays(until, DAYS_A_PAGE - 1);
  const [overview, days, hasMore] = await Promise.all([
    getDayIn(deps, context, { userId, day: undefined, promises: 'counts' }),
    listDigestDaysWithStart(deps.db, { userId, since, until }),
    hasDigests(deps.db, { userId, before: since }),
  ]);
  const href = (number: number) => todayPath({ view: 'table', page: number });
  const shown = {
    ...presentWithoutRows(overview, { view: 'today', page: 1, now: deps.clock.now() }),
    days: presentDays(overview, undefined),
    plot: drawChart(overview.days, today),
    views: [],
    isList: true,
    keys: hasKeys(req),
    table: days.map(day => presentTableRow(day, context)),
    tablePages: {
      words: page > 1 || hasMore ? `${formatShortDay(since, today)} to ${formatShortDay(until, today)}` : '',
      previous: page > 1 ? href(page - 1) : undefined,
      next: hasMore ? href(page + 1) : undefined,
    },
  };
  deps.render.page(res, 'today/table/index', shown, { title: 'Digests by day', nav: 'today' });
}

/** The digests are of that day; their messages may be older, which the row says. */
function presentTableRow(
  { date, total, urgent, messages, firstMessageAt }: DigestDayWithStart,
  moment: Pick<TodayContext, 'today' | 'timezone'>,
) {
  const { today } = moment;
  return {
    label: formatNearDay(date, today),
    since: formatFirstDay({ firstMessageAt, digestDate: date }, moment),
    href: todayPath({ day: date === today ? undefined : date }),
    total: formatCount(total),
    urgent: formatCount(urgent),
    messages: formatCount(messages),
  };
}

/** The chart of the last 30 days in units of its view box; the urgent part of a bar is at the bottom. */
type Plot = {
  words: string;
  average: string;
  bars: { x: number; total: BarPart; urgent: BarPart }[];
  lines: { y: number; label: string }[];
  /** Days under the axis. */
  first: string;
  middle: { x: number; label: string };
  base: number;
};

type BarPart = { y: number; height: number } | undefined;

const STRIDE = 9.2;
const BASE = 78;
const HEIGHT = 74.5;
/** The smallest height, so that one digest out of three hundred is still visible. */
const MIN_BAR_HEIGHT = 1.5;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Undefined if there is nothing to compare yet. @param today the user's present day, YYYY-MM-DD */
function drawChart(days: DigestDay[], today: string): Plot | undefined {
  const byDate = new Map(days.map(day => [day.date, day]));
  const dates = Array.from({ length: CHART_DAYS }, (_, index) => subtractDays(today, CHART_DAYS - 1 - index));
  const shown = dates.map(date => byDate.get(date) ?? { date, total: 0, urgent: 0, messages: 0 });
  const most = Math.max(...shown.map(({ total }) => total));
  const withDigests = shown.filter(({ total }) => total > 0);
  if (withDigests.length < 2) return undefined;
  const scale = (count: number) => (count / most) * HEIGHT;
  return {
    words: plotWords(withDigests, shown),
    average: averageWords(shown),
    bars: shown.map(({ total, urgent }, index) => ({
      x: round(1 + index * STRIDE),
      total: barPart(scale(total)),
      urgent: barPart(scale(urgent)),
    })),
    lines: linesUpTo(most).map(count => ({ y: round(BASE - scale(count)), label: formatCount(count) })),
    first: formatShortDay(dates[0] ?? today, today).slice(4),
    middle: { x: round(1 + 14 * STRIDE + 3.1), label: formatShortDay(dates[14] ?? today, today).slice(4) },
    base: BASE,
  };
}

function barPart(height: number): BarPart {
  if (height === 0) return undefined;
  const seen = Math.max(height, MIN_BAR_HEIGHT);
  return { y: round(BASE - seen), height: round(seen) };
}

/** One or two grid lines. */
function linesUpTo(most: number): number[] {
  const step = STEPS.find(candidate => most / candidate < 3) ?? most;
  return [step, 2 * step].filter(count => count <= most);
}

function plotWords(withDigests: DigestDay[], shown: DigestDay[]): string {
  const totals = shown.map(({ total }) => total);
  const urgent = shown.map(({ urgent: count }) => count);
  const range = `Digests per day over the last ${CHART_DAYS} days, ${betweenWords(totals)} a day`;
  const days = `on ${formatCount(withDigests.length)} of them`;
  return `${range}, ${days}. Urgent ones ${betweenWords(urgent)}.`;
}

function betweenWords(counts: number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${formatCount(most)}` : `between ${formatCount(least)} and ${formatCount(most)}`;
}

/** How many digests a day has on average, from the first day that has any. */
function averageWords(shown: DigestDay[]): string {
  const since = shown.slice(shown.findIndex(({ total }) => total > 0));
  const sum = since.reduce((all, { total }) => all + total, 0);
  const average = sum / since.length;
  return `${average < 1 ? 'fewer than 1' : formatCount(Math.round(average))} a day on average`;
}

const round = (length: number): number => Math.round(length * 10) / 10;
