import { addDays, localDay, subtractDays } from '../../../lib/timezones.ts';
import {
  choosePlural,
  formatCount,
  formatDate,
  formatDateSpan,
  formatLongDay,
  formatQuantity,
  isolateName,
  lowerNumberWord,
  numberWord,
} from '../../../lib/words.ts';
import { chooseKeyLines, lineText } from '../../digests/describeExchanges.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import { describeClosed, describeRow, laterDays } from '../../promises/list/describeRow.ts';
import { type BoardCounts, describeChange, describeViews } from '../../promises/list/present.ts';
import type { SourcedPromise, UserPromise } from '../../promises/schema.ts';
import { presentWaiting } from '../../promises/waiting/present.ts';
import { drawKeptChart } from './drawKeptChart.ts';
import { type BusyDialog, LIST_NAMES, WEEK_LISTS, type WeekList, type WeekQuery } from './schema.ts';
import { addressOfWeek, type Week } from './service.ts';

const TITLES: Record<WeekList, string> = {
  late: 'Past their day',
  ahead: 'Still due this week',
  putOff: 'Put off',
  kept: 'Kept',
  fresh: 'New',
  next: 'Next week',
};
/** Rows of each list on the page of the week; the rest is behind a link. */
const SHOWN: Record<WeekList, number> = { late: 10, ahead: 5, putOff: 3, kept: 5, fresh: 5, next: 5 };
export const MAX_SHOWN = Math.max(...Object.values(SHOWN));
export const PER_PAGE = 50;

/** Data of the week page. */
export function presentWeek(
  week: Week,
  { query, board, changed }: { query: WeekQuery; board: BoardCounts; changed: UserPromise[] },
) {
  const { monday, sunday, today, isPresent } = week;
  const { list, page } = query;
  const here = weekListAddress(week, { list, page });
  const { headline, links } = writeWeekHeadline(week);
  const groups = WEEK_LISTS.flatMap(name => groupOf(name, week, query));
  const groupsNamed = (...names: WeekList[]) => names.flatMap(name => groups.filter(group => group.name === name));
  return {
    here,
    day: weekTitle(week),
    headline,
    links: list ? [] : links,
    empty: emptyWords(week, groups.length > 0, list !== undefined),
    views: describeViews(board, { view: 'week' }),
    weeks: weeksOf(week),
    ...neighborsOf(week),
    whole: list ? { words: 'The whole week', href: weekListAddress(week, {}) } : undefined,
    chart: list ? undefined : drawKeptChart(week),
    open: list ? groups : groupsNamed('late', 'ahead', 'putOff'),
    // What is to come is listed before what is past.
    closing: list ? [] : groupsNamed('next', 'fresh', 'kept'),
    waiting: list
      ? undefined
      : presentWaiting(week.waiting, {
          here,
          title: isPresent ? 'Waiting longest for you' : 'Still waiting for you',
          more: week.waiting.count > week.waiting.waits.length ? '/promises?view=waiting' : undefined,
        }),
    moved: list ? [] : week.moved.map(dialog => describeBusy(dialog, week)),
    theirs: theirsOf(week),
    automatic: automaticOf(week),
    span: formatDateSpan(monday, sunday, today),
    later: laterDays(today),
    firstDay: addDays(today, 1),
    done: describeChange({ changed, today }),
  };
}

/** `Week of 23 November`, with the year when it is not the present one. */
export function weekTitle({ monday, today }: Week): string {
  const year = monday.slice(0, 4);
  return `Week of ${formatLongDay(monday).replace(/^\w+ /, '')}${year === today.slice(0, 4) ? '' : ` ${year}`}`;
}

/** The address names only what differs from the plain page. */
function weekListAddress({ monday, today }: Week, { list, page }: { list?: WeekList | undefined; page?: number }): string {
  const query = new URLSearchParams({
    ...(list && { list: LIST_NAMES[list] }),
    ...(page && page > 1 && { page: String(page) }),
  });
  const plain = addressOfWeek(monday, today);
  return query.size > 0 ? `${plain}${plain.includes('?') ? '&' : '?'}${query}` : plain;
}

function groupOf(name: WeekList, week: Week, { list, page }: WeekQuery) {
  if (name === 'next' && !week.isPresent) return [];
  const promises = week.listed.filter(one => one.list === name).map(({ promise }) => promise);
  const shown = list ? promises : promises.slice(0, SHOWN[name]);
  if (shown.length === 0) return [];
  const total = week.counts[name];
  const rest = total - shown.length - (list ? (page - 1) * PER_PAGE : 0);
  const more = list
    ? { words: `Show the next ${Math.min(rest, PER_PAGE)}`, href: weekListAddress(week, { list, page: page + 1 }) }
    : { words: `${formatCount(rest)} more`, href: weekListAddress(week, { list: name }) };
  return [
    {
      name,
      title: TITLES[name],
      count: formatCount(total),
      ...weekRows(name, shown, week),
      more: rest > 0 ? more : undefined,
      note: name === 'late' ? { words: 'All overdue', href: '/promises?group=overdue' } : undefined,
    },
  ];
}

/** Rows that can be decided, are decided, or only mentioned: a promise that came up has its row in its day's list. */
function weekRows(name: WeekList, promises: SourcedPromise[], week: Week) {
  const closedRow = (promise: SourcedPromise) => ({ ...describeClosed(promise, week), ...dialogOf(promise) });
  if (name === 'kept') return { kind: 'closed' as const, rows: promises.map(closedRow) };
  if (name === 'fresh') return { kind: 'mentioned' as const, rows: promises.map(promise => promiseRow(promise, week)) };
  const view = name === 'putOff' ? 'put-off' : 'yours';
  const rows = promises.map(promise => ({ ...describeRow(promise, { ...week, view }), owner: '' }));
  return { kind: 'open' as const, view, rows };
}

function promiseRow(promise: SourcedPromise, week: Week) {
  const isPutOff = promise.snoozedUntil !== null && promise.snoozedUntil > week.today;
  const { words, due, time, tone } = describeRow(promise, { ...week, view: isPutOff ? 'put-off' : 'yours' });
  const isKept = promise.state === 'done';
  return { ...dialogOf(promise), words, ...(isKept ? { when: 'kept' } : { due, time, tone }) };
}

function dialogOf({ dialogId, ...dialog }: Pick<SourcedPromise, 'dialogId' | 'peerName' | 'peerUsername' | 'peerPhone'>) {
  return { name: dialogName(dialog), conversation: `/conversations/${dialogId}` };
}

/** A conversation with many messages, and the beginning of its newest digest, or the line of it that says most. */
export function describeBusy({ messages, firstMessageAt, sentence, language, ...dialog }: BusyDialog, week: Week) {
  const named = dialogOf(dialog);
  const line = chooseKeyLines(dialog.exchanges ?? [], { isGroup: dialog.peerType !== 'user' });
  const first = firstMessageAt ? localDay(firstMessageAt, week.timezone) : week.monday;
  // The first sync also reads messages from before the week.
  const since = first < week.monday ? ` since ${formatDate(first, week.today)}` : '';
  return {
    ...named,
    words: line.map(lineText).join(' ') || isolateName(sentence, named.name),
    language: language === 'und' ? undefined : language,
    isSummary: true,
    when: `${formatQuantity(messages, 'message', 'messages')}${since}`,
  };
}

function emptyWords({ isBegun, waiting, moved }: Week, hasGroups: boolean, isList: boolean): string {
  if (!isBegun) return 'Forenoon finds promises in your conversations. Once it has read some, your week is here.';
  if (!hasGroups && isList) return 'Nothing more here.';
  if (hasGroups || waiting.count > 0 || moved.length > 0) return '';
  return 'No promises, and no one is waiting for you.';
}

/** The last weeks of the chart beside the page, the newest first. */
const LISTED_WEEKS = 4;

function weeksOf({ chart, today, monday: shown }: Week) {
  return chart
    .slice(-LISTED_WEEKS)
    .toReversed()
    .map(({ monday, due }) => ({ ...weekLink(monday, today), count: formatCount(due), isCurrent: monday === shown }));
}

function neighborsOf({ monday, firstMonday, isPresent, today }: Week) {
  return {
    before: monday > firstMonday ? weekLink(subtractDays(monday, 7), today) : undefined,
    after: isPresent ? undefined : weekLink(addDays(monday, 7), today),
  };
}

function weekLink(monday: string, today: string) {
  return { href: addressOfWeek(monday, today), words: formatDateSpan(monday, addDays(monday, 6), today) };
}

function theirsOf({ counts: { theirsDue, theirsKept }, isPresent }: Week): string {
  if (theirsDue === 0) return '';
  return `Others kept ${formatCount(theirsKept)} of ${formatQuantity(theirsDue, 'promise', 'promises')} to you${isPresent ? ' so far' : ''}.`;
}

function automaticOf({ counts: { kept, keptAutomatically } }: Week): string {
  if (keptAutomatically === 0) return '';
  const were = choosePlural(keptAutomatically, 'was', 'were');
  return `${formatCount(keptAutomatically)} of ${formatCount(kept)} kept ${were} closed from what was written, each with its evidence.`;
}

/** Words that link to the list of what they count. */
type HeadlineLink = { words: string; href: string };

/** A week's headline, which counts the user's own promises. Each number is the length of a list on the page. */
export function writeWeekHeadline(week: Week): { headline: string; links: HeadlineLink[] } {
  const { counts, isPresent, isBegun } = week;
  if (!isBegun) return { headline: 'Nothing to look back on yet.', links: [] };
  const { due, kept, late, perhapsSettled, ahead, aheadDates, putOff, fresh, next, nextDates } = counts;
  const isStillAhead = due > 0 && kept === 0 && late === 0 && isPresent;
  const describeCount = (count: number, one: string, many: string, dates = 0) =>
    `${numberWord(count)} ${choosePlural(count, one, many)}${notTheirs(count, dates)}.`;
  // Promises that may be settled are past their day and still open, but hardly late.
  const many = perhapsSettled === late ? 'all ' : `${lowerNumberWord(perhapsSettled)} `;
  const doubts = perhapsSettled === 0 ? '' : ` (${late === 1 ? '' : many}perhaps settled)`;
  const parts = [
    late > 0 && { words: describeCount(late, `is past its day${doubts}`, `are past their day${doubts}`), href: '#late' },
    ahead > 0 &&
      !isStillAhead && {
        words: describeCount(ahead, 'is still due this week', 'are still due this week', aheadDates),
        href: '#ahead',
      },
    putOff > 0 && { words: describeCount(putOff, 'is put off', 'are put off'), href: '#putOff' },
    fresh > 0 && { words: describeCount(fresh, 'new one came up', 'new ones came up'), href: '#fresh' },
    next > 0 &&
      isPresent && { words: describeCount(next, 'is due next week', 'are due next week', nextDates), href: '#next' },
  ];
  return { headline: headlineOf(week, isStillAhead), links: parts.filter(part => part !== false) };
}

/** Says how many of these are appointments or deadlines, which are no promises of the user's; '' without any. */
function notTheirs(count: number, dates: number): string {
  if (dates === 0) return '';
  return ` (${count === dates ? 'no promise of yours' : `${lowerNumberWord(dates)} of them no ${choosePlural(dates, 'promise', 'promises')} of yours`})`;
}

function headlineOf({ counts, isPresent }: Week, isStillAhead: boolean): string {
  const { due, kept, late, ahead } = counts;
  if (due === 0) return isPresent ? 'Nothing is due this week.' : 'Nothing was due that week.';
  if (isStillAhead) return `${numberWord(due)} ${choosePlural(due, 'promise is', 'promises are')} due this week.`;
  if (due === 1) return kept === 1 ? 'You kept the one promise that was due.' : 'The one promise that was due is open.';
  const shareOf = (sum: number) => `${formatCount(kept)} of ${formatQuantity(sum, 'promise', 'promises')}`;
  if (isPresent && ahead > 0) return `Kept so far this week: ${shareOf(kept + late)}.`;
  return `You kept ${shareOf(due)} due ${isPresent ? 'this' : 'that'} week.`;
}
