import { subtractDays } from '../../../lib/timezones.ts';
import { choosePlural, formatCount, formatDate, formatQuantity } from '../../../lib/words.ts';
import type { WeekOfChart } from './schema.ts';
import { addressOfWeek, type Week } from './service.ts';

/** In view box units: width of a week and its bar, line height, and the bars' baseline. */
const WIDE = { stride: 80, bar: 44, line: 13, base: 122, lines: 1 };
const NARROW = { stride: 40, bar: 26, line: 13, base: 122, lines: 2 };
type Size = typeof WIDE;

const TALLEST = 88;
/** The height of one promise at most, so that two of them are not a tower. */
const MAX_BLOCK_HEIGHT = 12;
const GAP = 2;

/**
 * The chart of promises kept by week, with a second one for narrow screens, on which its text would be too small.
 * Undefined if fewer than two weeks had something due: there is nothing to compare.
 */
export function drawKeptChart(week: Week) {
  const { chart, counts, today, isPresent } = week;
  if (chart.filter(({ due }) => due > 0).length < 2) return undefined;
  const draw = (size: Size) => ({
    width: 8 * size.stride,
    height: size.base + 24,
    base: size.base,
    bars: chart.map((one, n) => barOf(one, { n, size, week })),
  });
  return {
    /** Text for screen readers. */
    words: describeChart(week),
    wide: draw(WIDE),
    narrow: draw(NARROW),
    rows: chart
      .toReversed()
      .map(({ monday, due, kept }) => ({
        label: formatDate(monday, today),
        href: addressOfWeek(monday, today),
        due: formatCount(due),
        kept: formatCount(kept),
        open: formatCount(due - kept),
        isShown: monday === week.monday,
      })),
    hasLate: counts.late > 0,
    hasOpen: isPresent && counts.ahead + counts.putOff > 0,
  };
}

type ChartPosition = { n: number; size: Size; week: Week };

function barOf({ monday, due, kept }: WeekOfChart, { n, size, week }: ChartPosition) {
  const most = Math.max(...week.chart.map(one => one.due));
  const unit = Math.min(MAX_BLOCK_HEIGHT, TALLEST / most);
  const isShown = monday === week.monday;
  const late = isShown ? week.counts.late : 0;
  const parts: { kind: 'done' | 'late' | 'rest'; y: number; height: number }[] = [];
  let y = size.base;
  for (const [kind, count] of [
    ['done', kept],
    ['late', late],
    ['rest', due - kept - late],
  ] as const) {
    if (count <= 0) continue;
    const height = Math.max(count * unit - (parts.length > 0 ? GAP : 0), GAP);
    y -= height + (parts.length > 0 ? GAP : 0);
    parts.push({ kind, y: round(y), height: round(height) });
  }
  const x = (size.stride - size.bar) / 2 + n * size.stride;
  return {
    x,
    width: size.bar,
    middle: x + size.bar / 2,
    isShown,
    parts,
    label: labelOf({ due, kept }, { top: y, size }),
    day: weekLabel(monday, { n, size, isShown }),
  };
}

/** The label under the bar, without the year. The narrow chart names each month once, and that of the week shown. */
function weekLabel(monday: string, { n, size, isShown }: Pick<ChartPosition, 'n' | 'size'> & { isShown: boolean }): string {
  const day = formatDate(monday, monday);
  const isNamed = n === 0 || isShown || monday.slice(0, 7) !== subtractDays(monday, 7).slice(0, 7);
  return size.lines === 1 || isNamed ? day : day.replace(/ .*/, '');
}

/** The label over the bar: "6 of 9", in two lines in the narrow chart. */
function labelOf({ due, kept }: Pick<WeekOfChart, 'due' | 'kept'>, { top, size }: { top: number; size: Size }) {
  if (due === 0) return [{ y: size.base - 6, words: '–' }];
  const [first, second] = [formatCount(kept), `of ${formatCount(due)}`];
  const y = round(top - 7);
  return size.lines === 1
    ? [{ y, words: `${first} ${second}` }]
    : [
        { y: y - size.line, words: first },
        { y, words: second },
      ];
}

function describeChart({ chart, counts, isPresent }: Week): string {
  const said = ({ due, kept }: WeekOfChart) => (due === 0 ? 'nothing due' : `${formatCount(kept)} of ${formatCount(due)}`);
  const [first, last] = [chart[0], chart.at(-1)];
  if (!first || !last) return '';
  const range = `Promises kept by week over ${formatCount(chart.length)} weeks, from ${said(first)} to ${said(last)}.`;
  if (counts.late === 0) return range;
  const are = `${formatQuantity(counts.late, 'promise', 'promises')} ${choosePlural(counts.late, 'is past its day', 'are past their day')}`;
  return `${range} ${isPresent ? 'This' : 'That'} week ${are}.`;
}

const round = (length: number): number => Math.round(length * 10) / 10;
