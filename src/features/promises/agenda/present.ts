import { addDays } from '../../../lib/timezones.ts';
import { choosePlural, formatCount, formatQuantity, formatShortDay, numberWord } from '../../../lib/words.ts';
import { describeWords } from '../../digests/quoteSource.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import { mayBeSamePerson } from '../fromDigests/rules.ts';
import { describeClosed, describeRow, findClashes, laterDays } from '../list/describeRow.ts';
import type { UserPromise } from '../schema.ts';
import {
  type AgendaList,
  type AgendaPromise,
  type CountedPromises,
  OPEN_COUNTS,
  type OpenCounts,
  type WeekCounts,
} from './repo.ts';
import type { Agenda } from './service.ts';

export const MAX_DUE = 7;
const MAX_OWED = 3;
const MAX_NEXT = 2;
const MAX_COMING = 4;

type Now = { today: string; now: Date; timezone: string };

/** Sums the counts of all conversations. `owing`: number of conversations in which others owe something overdue. */
export function sumCounts(counts: ReadonlyMap<string, OpenCounts>): OpenCounts & { owing: number } {
  const all = [...counts.values()];
  const sums = OPEN_COUNTS.map(key => [key, all.reduce((sum, dialogCounts) => sum + dialogCounts[key], 0)]);
  return { ...(Object.fromEntries(sums) as OpenCounts), owing: all.filter(({ owedToUser }) => owedToUser > 0).length };
}

export function presentAgenda(agenda: Agenda, { open, week }: CountedPromises, now: Now) {
  const sum = sumCounts(open);
  const row = (listed: AgendaPromise) => describeListed(listed, agenda, now);
  const due = chooseDue(agenda, now.today);
  const owed = filterByLists(agenda, 'owedToUser').slice(0, MAX_OWED);
  const next = filterByLists(agenda, 'next');
  const nextOwn = next.slice(0, MAX_NEXT).filter(({ promise }) => promise.direction === 'mine');
  const total = countDue(sum);
  const remaining = sum.mine - nextOwn.length;
  const nextRows = total === 0 ? next.slice(0, MAX_NEXT) : [];
  return {
    due: { rows: due.map(row), total: formatCount(total), more: moreDue(sum, due) },
    all: sayAllPromises(sum),
    next: { rows: nextRows.map(row), more: remaining > 0 ? formatQuantity(remaining, 'more promise', 'more promises') : '' },
    owed: { rows: owed.toReversed().map(row), total: formatCount(sum.owedToUser), more: moreOwed(sum, owed.length) },
    coming: next.slice(0, MAX_COMING).map(({ promise }) => describeUpcoming(promise, now)),
    week: weekWords(week),
    closed: presentClosed(agenda.closed, new Set([...due, ...owed, ...nextRows].map(({ promise }) => promise.id)), now),
    later: laterDays(now.today),
    firstDay: addDays(now.today, 1),
  };
}

/** Number of rows that need the user today: overdue, due, urgent without a due day, or on its date. */
export function countDue({ overdue, dueToday, urgent, dated }: OpenCounts): number {
  return overdue + dueToday + urgent + dated;
}

/** The promises that `isWanted` picks, as the page lists them, at most `most` rows. */
export function presentListed(agenda: Agenda, now: Now, most: number, isWanted: (row: AgendaPromise) => boolean) {
  const selected = agenda.listed.filter(isWanted).slice(0, most);
  return selected.map(listed => describeListed(listed, agenda, now));
}

function filterByLists({ listed }: Agenda, ...lists: AgendaList[]): AgendaPromise[] {
  return listed.filter(({ list }) => lists.includes(list));
}

function describeListed({ promise, list }: AgendaPromise, agenda: Agenda, now: Now) {
  return {
    ...describeRow(promise, {
      ...now,
      view: list === 'owedToUser' ? 'theirs' : 'yours',
      clashes: findClashes(agenda.listed.map(row => row.promise)),
    }),
    company: companyName(promise, agenda),
    // Says why it is listed although it has no due day.
    ...(list === 'urgent' && { due: 'Urgent', time: '', tone: 'plain' as const, from: '' }),
  };
}

/** The fewest rows for overdue promises. */
const MIN_OVERDUE = 2;
/** The most rows for promises that may be settled. */
const MAX_CONFIRMATIONS = 3;

/** In page order: today's by hour, then urgent, overdue (latest first) and perhaps settled. */
function chooseDue(agenda: Agenda, today: string): AgendaPromise[] {
  const overdue = filterByLists(agenda, 'overdue');
  const missed = overdue.filter(({ promise }) => promise.dueDate === today).toReversed();
  const earlier = overdue.filter(row => !missed.includes(row));
  const ofToday = [...missed, ...filterByLists(agenda, 'dueToday', 'urgent')];
  const mostOfToday = MAX_DUE - Math.min(earlier.length, MIN_OVERDUE);
  const due = [...ofToday.slice(0, mostOfToday), ...earlier];
  return [...due, ...filterByLists(agenda, 'perhapsSettled').slice(0, MAX_CONFIRMATIONS)].slice(0, MAX_DUE);
}

/** `3 more overdue, 5 due today, 2 perhaps settled` */
function moreDue(sum: OpenCounts, shown: AgendaPromise[]): string {
  const countHidden = (list: AgendaList, all: number) => all - shown.filter(row => row.list === list).length;
  const parts = [
    { count: countHidden('overdue', sum.overdue), words: 'overdue' },
    { count: countHidden('dueToday', sum.dueToday + sum.dated), words: 'due today' },
    { count: countHidden('urgent', sum.urgent), words: 'urgent' },
    { count: countHidden('perhapsSettled', sum.perhapsSettled), words: 'perhaps settled' },
  ].filter(({ count }) => count > 0);
  return parts.map(({ count, words }, n) => `${formatCount(count)}${n === 0 ? ' more' : ''} ${words}`).join(', ');
}

/** `2 more past their day, 5 others`: due later, on no day, or perhaps settled */
function moreOwed({ owedToUser: owed, theirs }: OpenCounts, shown: number): string {
  const parts = [
    owed > shown && `${formatCount(owed - shown)} more past their day`,
    theirs > owed && `${formatCount(theirs - owed)} ${owed > shown ? 'others' : 'more'}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function companyName(promise: UserPromise, { links }: Agenda): string {
  const link = links.get(promise.dialogId);
  const name = dialogName(promise);
  const isOfPeer = promise.direction === 'mine' || mayBeSamePerson(promise.who, name);
  return link?.kind === 'linked' && isOfPeer && !name.includes(link.words) ? link.words : '';
}

function describeUpcoming(promise: UserPromise, { today }: Now) {
  const name = dialogName(promise);
  return {
    day: promise.dueDate ? formatShortDay(promise.dueDate, today) : '',
    time: promise.dueTime ?? '',
    words: describeWords(promise).words,
    isQuote: promise.saidBy !== null,
    name,
    href: `/conversations/${promise.dialogId}`,
  };
}

/** `All 46 promises`; empty where Today already lists all that the person owes. */
export function sayAllPromises(sum: OpenCounts): string {
  return sum.mine > countDue({ ...sum, dated: 0 }) ? `All ${formatQuantity(sum.mine, 'promise', 'promises')}` : '';
}

/** Share of this week's due promises that were kept; empty without any. */
export function weekWords({ due, kept }: WeekCounts): string {
  if (due === 0) return '';
  return `Kept so far this week: ${formatCount(kept)} of ${formatQuantity(due, 'promise', 'promises')}.`;
}

/** Promises closed recently, with evidence, and perhaps closed ones that are not on the agenda. `heading` may be ''. */
function presentClosed({ promises: all, counts: totals }: Agenda['closed'], listed: ReadonlySet<string>, now: Now) {
  const promises = all.filter(({ id, isDoubtful }) => !isDoubtful || !listed.has(id));
  const { kept, past, notNeeded } = totals;
  const pending = totals.doubtful - (all.length - promises.length);
  const counts = [
    kept > 0 && `${formatCount(kept)} kept`,
    past > 0 && `${formatCount(past)} past`,
    notNeeded > 0 && `${formatCount(notNeeded)} not needed any more`,
    pending > 0 && formatQuantity(pending, 'question', 'questions'),
  ];
  const rest = kept + past + notNeeded + pending - promises.length;
  return {
    heading: promises.length > 0 ? `Recently closed: ${counts.filter(Boolean).join(', ')}` : '',
    // The heading already states the kept ones.
    rows: promises.map(promise => {
      const row = describeClosed(promise, now);
      return { ...row, what: row.isPlainlyKept ? '' : row.what };
    }),
    more: rest > 0 ? `${formatCount(rest)} more` : '',
  };
}

/** Counts a conversation's open promises for its digest, instead of listing them a second time. */
export function describeOpen(dialogId: string, counts: OpenCounts | undefined) {
  if (!counts || counts.mine + counts.theirs === 0) return undefined;
  const { mine, theirs, overdue, dueToday, owedToUser } = counts;
  if (mine === 0) {
    const words = `${formatQuantity(theirs, 'promise', 'promises')} to you${owedToUser > 0 ? `, ${formatCount(owedToUser)} overdue` : ''}`;
    return { words, href: `/promises?view=theirs&dialog=${dialogId}` };
  }
  const due = [overdue > 0 && `${formatCount(overdue)} overdue`, dueToday > 0 && `${formatCount(dueToday)} due today`];
  const words = [formatQuantity(mine, 'promise', 'promises'), ...due].filter(Boolean).join(', ');
  return { words, href: `/promises?dialog=${dialogId}` };
}

/** "Two promises are due today. One date is set for today." @param when "today" or "tomorrow" */
export function dueWords({ promises, dates }: { promises: number; dates: number }, when: string): string {
  const due = promises > 0 && `${numberWord(promises)} ${choosePlural(promises, 'promise is', 'promises are')} due ${when}.`;
  const set = dates > 0 && `${numberWord(dates)} ${choosePlural(dates, 'date is', 'dates are')} set for ${when}.`;
  return [due, set].filter(Boolean).join(' ') || `Nothing is due ${when}.`;
}
