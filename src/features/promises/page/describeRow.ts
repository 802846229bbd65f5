import { dayAfter, sundayOf } from '../../../lib/timezones.ts';
import { clockTime, dateOf, daysBetween, dayWords, shortDay } from '../../../lib/words.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { describeWords } from '../../digests/describeWords.ts';
import { describeMessages } from '../../digests/quoteSource.ts';
import { type Address, addressesOf, chatLink, messageAddresses, nameOf } from '../../messenger/dialogs/rules.ts';
import type { Evidence, Kind, LedgerPromise, SourcedPromise } from '../schema.ts';
import { closedWords, momentClosed } from './closedWords.ts';
import { describeHistory } from './describeHistory.ts';
import type { List } from './schema.ts';

const KINDS: Record<Kind, string> = { promise: '', appointment: 'Appointment', deadline: 'Deadline' };

/** When and in which list rows are shown. */
export type RowPlace = { today: string; now: Date; timezone: string; view: List };

/** A promise, with its messages if they were asked for. */
export type MaybeSourced = LedgerPromise & Partial<Omit<SourcedPromise, keyof LedgerPromise>>;

/** A promise as `views/shared/promise/_row` prints it, in a list of the page of promises or on another page. */
export function describeRow(promise: MaybeSourced, place: RowPlace) {
  const { view } = place;
  const { id, dialogId, evidence, isDoubtful, canUndo } = promise;
  const name = nameOf(promise);
  return {
    id,
    ...describeWords(promise),
    name,
    owner: ownerOf(promise, view),
    reply: chatLink({ ...peerOf(promise), topMessageId: 0 }),
    conversation: `/conversations/${dialogId}`,
    brief: `/brief/${dialogId}`,
    task: promise.hasTask ? { href: `/promises/${id}/task`, label: `Task in ${CRM_NAME}` } : undefined,
    ...dueOf(promise, place),
    from: promise.dueDate || promise.isAdded ? '' : `from ${dateOf(promise.firstSaidOn, place.today)}`,
    moved: promise.movedFrom ? `moved from ${shortDay(promise.movedFrom, place.today)}` : '',
    source: sourceOf(promise, place),
    history: describeHistory(promise, place),
    isDoubtful,
    evidence: evidence && evidenceOf(evidence, promise, place),
    isAutomatic: promise.changedBy === 'automatic',
    canUndo,
    kind: KINDS[promise.kind],
    isSettled: promise.state !== 'open' && promise.state !== 'snoozed',
    isDone: promise.state === 'done',
    replacement: promise.reason === 'replaced' ? (promise.replacedByWords ?? '') : '',
    state: closedWords(promise),
    when: dayWords(momentClosed(promise), place),
  };
}

/** Whose promise it is, if neither the list nor the conversation says so. */
function ownerOf({ direction, who, ...dialog }: LedgerPromise, view: List): string {
  if (direction === 'mine') return view === 'put-off' || view === 'closed' ? 'You' : '';
  return who && who !== nameOf(dialog) ? who : '';
}

/** Red is for what is overdue and not perhaps settled, yellow for what the person owes today. */
function dueOf(promise: LedgerPromise, { today, view }: RowPlace) {
  const { dueDate, dueTime, dueText, direction, kind, snoozedUntil, isDoubtful } = promise;
  const plain = (due: string) => ({ due, time: '', tone: 'plain' as const });
  if (view === 'closed') return plain('');
  if (view === 'put-off') return plain(snoozedUntil ? `back on ${shortDay(snoozedUntil, today)}` : '');
  if (!dueDate) return plain(dueText ?? '');
  const late = daysBetween(dueDate, today);
  const time = dueTime ? `, ${dueTime}` : '';
  if (late === 0) return { due: 'today', time, tone: direction === 'mine' ? ('today' as const) : ('plain' as const) };
  const day = shortDay(dueDate, today);
  if (late < 0) return { due: day, time, tone: 'plain' as const };
  if (kind !== 'promise') return plain(`was ${day}`);
  const words = `was due ${late < 7 ? day.slice(0, 3) : day}${dueTime ? ` ${dueTime}` : ''}`;
  const isLate = direction !== 'unassigned' && !isDoubtful;
  return { due: words, time: '', tone: isLate ? ('late' as const) : ('plain' as const) };
}

export function peerOf({ peerUsername, peerPhone, peerKind = 'user', peerKey = '' }: MaybeSourced) {
  return { peerUsername, peerPhone, peer: { kind: peerKind, id: peerKey } };
}

/** Who sent the messages it rests on, when, and their Telegram links; without lines if that was not kept. */
function sourceOf(promise: MaybeSourced, place: RowPlace): { lines: Line[]; more: string; links: Address[] } {
  const { sources = [], sourceMessageIds } = promise;
  if (sources.length > 0) return describeMessages(sources, peerOf(promise), place);
  return { lines: [], more: '', links: addressesOf(peerOf(promise), sourceMessageIds) };
}

type Line = { name: string; when: string };

/** Has no link to the chat: the source already has it. */
function evidenceOf(evidence: Evidence, promise: MaybeSourced, place: RowPlace) {
  const { who, when, words, messageIds } = evidence;
  const quote = quotedWords(evidence);
  return {
    who,
    quote,
    what: quote ? '' : words,
    when: momentOf(when, place),
    links: messageAddresses(peerOf(promise), messageIds),
  };
}

/** `yesterday, 14:20`; empty for an invalid moment. */
export function momentOf(when: string, { now, timezone }: Pick<RowPlace, 'now' | 'timezone'>): string {
  const moment = new Date(when);
  if (Number.isNaN(moment.getTime())) return '';
  return `${dayWords(moment, { now, timezone })}, ${clockTime(moment, timezone)}`;
}

/** The days that Later offers, each with its key. On a Sunday, Monday is tomorrow and is offered only once. */
export function laterDays(today: string) {
  const days = [
    { key: '1', label: 'Tomorrow', day: dayAfter(today, 1) },
    { key: '2', label: 'Monday', day: dayAfter(sundayOf(today), 1) },
    { key: '3', label: 'Next week', day: dayAfter(today, 7) },
  ];
  const isFirst = (day: string, at: number) => days.findIndex(other => other.day === day) === at;
  return days.filter(({ day }, at) => isFirst(day, at)).map(one => ({ ...one, words: shortDay(one.day, today) }));
}

/** What a message said. A change to a task in the CRM is not a message. */
export function quotedWords({ words, messageIds }: Evidence): string {
  return messageIds.length > 0 ? words : '';
}
