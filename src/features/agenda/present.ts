import { dayAfter } from '../../lib/timezones.ts';
import { countOf, formatCount, shortDay } from '../../lib/words.ts';
import { isolateName } from '../../lib/writing.ts';
import { nameOf } from '../digests/describeAction.ts';
import { describeRow, laterDays, momentOf } from '../promisePage/describeRow.ts';
import type { LedgerPromise } from '../promises/schema.ts';
import type { AgendaList, ListedPromise, OpenCounts } from './schema.ts';
import type { Agenda } from './service.ts';

const MOST_DUE = 7;
/** While there is more to show than rows, what is overdue leaves this much room to what is due today. */
const MOST_LATE = 4;
const MOST_OWED = 3;
const MOST_NEXT = 2;
const MOST_COMING = 4;

type Now = { today: string; now: Date; timezone: string };

/** All that is open, of all conversations. */
export function sumCounts(counts: ReadonlyMap<string, OpenCounts>): OpenCounts & { owing: number } {
  const sum = { mine: 0, late: 0, today: 0, urgent: 0, theirs: 0, owed: 0, owing: 0 };
  for (const one of counts.values()) {
    for (const key of ['mine', 'late', 'today', 'urgent', 'theirs', 'owed'] as const) sum[key] += one[key];
    if (one.owed > 0) sum.owing += 1;
  }
  return sum;
}

/** The promises of the present day as Today prints them. */
export function presentAgenda(agenda: Agenda, counts: ReadonlyMap<string, OpenCounts>, now: Now) {
  const sum = sumCounts(counts);
  const row = ({ promise, list }: ListedPromise) => ({
    ...describeRow(promise, { ...now, view: list === 'owed' ? 'theirs' : 'yours' }),
    company: companyOf(promise, agenda),
    // Why it is here, though no day was said.
    ...(list === 'urgent' && { due: 'Urgent', time: '', tone: 'plain' as const, from: '' }),
  });
  const of = (...lists: AgendaList[]) => agenda.listed.filter(({ list }) => lists.includes(list));
  const due = chooseDue(of('late').reverse(), of('today', 'urgent'));
  const owed = of('owed').slice(0, MOST_OWED);
  const next = of('next');
  const total = sum.late + sum.today + sum.urgent;
  return {
    due: { rows: due.map(row), total: formatCount(total), more: moreDue(sum, due) },
    all: sum.mine > total ? `All ${countOf(sum.mine, 'promise', 'promises')}` : '',
    next: {
      rows: total === 0 ? next.slice(0, MOST_NEXT).map(row) : [],
      more: moreWords(sum.mine - Math.min(MOST_NEXT, next.length)),
    },
    owed: { rows: owed.toReversed().map(row), total: formatCount(sum.owed), more: moreOwed(sum, owed.length) },
    coming: next.slice(0, MOST_COMING).map(({ promise }) => comingOf(promise, now)),
    week: agenda.week.due > 0 ? weekWords(agenda.week) : '',
    closed: closedOf(agenda.closed, now),
    later: laterDays(now.today),
    firstDay: dayAfter(now.today, 1),
  };
}

/** In the order of the page: what is overdue first, the longest first, then by the hour. */
function chooseDue(late: ListedPromise[], others: ListedPromise[]): ListedPromise[] {
  const room = Math.max(MOST_LATE, MOST_DUE - others.length);
  const shown = late.slice(-room);
  return [...shown, ...others].slice(0, MOST_DUE);
}

/** `3 more overdue, 5 due today` */
function moreDue(sum: OpenCounts, shown: ListedPromise[]): string {
  const left = (list: 'late' | 'today' | 'urgent') => sum[list] - shown.filter(one => one.list === list).length;
  const parts = [
    { count: left('late'), words: 'overdue' },
    { count: left('today'), words: 'due today' },
    { count: left('urgent'), words: 'urgent' },
  ].filter(({ count }) => count > 0);
  return parts.map(({ count, words }, n) => `${formatCount(count)}${n === 0 ? ' more' : ''} ${words}`).join(', ');
}

/** `5 more, not due yet` */
function moreOwed({ owed, theirs }: OpenCounts, shown: number): string {
  const parts = [
    owed > shown && `${formatCount(owed - shown)} more overdue`,
    theirs > owed && `${formatCount(theirs - owed)}${owed > shown ? '' : ' more,'} not due yet`,
  ];
  return parts.filter(Boolean).join(', ');
}

function moreWords(count: number): string {
  return count > 0 ? countOf(count, 'more promise', 'more promises') : '';
}

function companyOf(promise: LedgerPromise, { links }: Agenda): string {
  const link = links.get(promise.dialogId);
  return link?.kind === 'linked' && link.words !== nameOf({ dialog: promise }) ? link.words : '';
}

function comingOf(promise: LedgerPromise, { today }: Now) {
  const name = nameOf({ dialog: promise });
  return {
    day: promise.dueDate ? shortDay(promise.dueDate, today) : '',
    time: promise.dueTime ?? '',
    words: isolateName(promise.words, name),
    name,
    href: `/conversations/${promise.dialogId}`,
  };
}

/** `6 of 9 promises kept so far.` */
function weekWords({ due, kept }: Agenda['week']): string {
  return `${formatCount(kept)} of ${countOf(due, 'promise', 'promises')} due this week kept so far.`;
}

/** What messages closed of late, each with what that rests on. `heading` is empty where there is none. */
function closedOf(promises: readonly LedgerPromise[], now: Now) {
  const kept = promises.filter(({ state }) => state === 'done').length;
  const cancelled = promises.filter(({ state }) => state === 'cancelled').length;
  const asked = promises.filter(({ isDoubtful }) => isDoubtful).length;
  const counts = [
    kept > 0 && `${formatCount(kept)} kept`,
    cancelled > 0 && `${formatCount(cancelled)} not needed any more`,
    asked > 0 && countOf(asked, 'question', 'questions'),
  ];
  return {
    heading: promises.length > 0 ? `Closed since yesterday: ${counts.filter(Boolean).join(', ')}` : '',
    // Questions first: only they want an answer.
    rows: promises
      .toSorted((one, other) => Number(other.isDoubtful) - Number(one.isDoubtful))
      .map(({ id, words, isDoubtful, evidence, ...dialog }) => ({
        ...{ id, isDoubtful, words: isolateName(words, nameOf({ dialog })) },
        evidence: evidence && { who: evidence.who, when: momentOf(evidence.when, now), quote: evidence.words },
      })),
  };
}

/** What a digest says of its conversation's promises, in place of a second list of them. */
export function describeOpen(dialogId: string, counts: OpenCounts | undefined) {
  if (!counts || counts.mine + counts.theirs === 0) return undefined;
  const { mine, theirs, late, today, owed } = counts;
  if (mine === 0) {
    const words = `${countOf(theirs, 'promise', 'promises')} to you${owed > 0 ? `, ${formatCount(owed)} overdue` : ''}`;
    return { words, href: `/promises?view=theirs&dialog=${dialogId}` };
  }
  const due = [late > 0 && `${formatCount(late)} overdue`, today > 0 && `${formatCount(today)} due today`];
  const words = [countOf(mine, 'promise', 'promises'), ...due].filter(Boolean).join(', ');
  return { words, href: `/promises?dialog=${dialogId}` };
}
