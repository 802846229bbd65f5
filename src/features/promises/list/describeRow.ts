import { findPeriod } from '../../../clients/summarizer/days/resolveDueDate.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { addDays, isOnWeekend, localDay, sundayOf } from '../../../lib/timezones.ts';
import {
  daysBetween,
  formatDate,
  formatDateSpan,
  formatDayInSentence,
  formatShortDay,
  formatTimeOfDay,
  isolateDirection,
  isolateName,
} from '../../../lib/words.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { describeMessages, describeWords, formatInLine } from '../../digests/quoteSource.ts';
import { type ChatLink, chatLink, chatLinks, dialogName, messageLinks } from '../../messenger/dialogs/rules.ts';
import { mayBeSamePerson } from '../fromDigests/rules.ts';
import { isOverdue, isPerhapsSettled, quotedWords } from '../rules.ts';
import type { Evidence, PromiseKind, Reason, SourcedPromise, UserPromise } from '../schema.ts';
import type { List } from './schema.ts';

const KINDS: Record<PromiseKind, string> = { promise: '', appointment: 'Appointment', deadline: 'Deadline' };

/** The present moment, the time zone and the list in which rows are shown. */
type RowPlace = { today: string; now: Date; timezone: string; view: List; clashes?: ReadonlyMap<string, string> };

/** A promise, with its messages if they were asked for. */
type MaybeSourced = UserPromise & Partial<Omit<SourcedPromise, keyof UserPromise>>;

/** A promise as `views/shared/promise/_row` prints it, in a list of the page of promises or on another page. */
export function describeRow(promise: MaybeSourced, place: RowPlace) {
  const { view } = place;
  const { id, dialogId, evidence, canUndo } = promise;
  const name = dialogName(promise);
  return {
    id,
    ...withDays(promise, place),
    dueText: promise.dueText,
    name,
    owner: describeOwner(promise, view),
    reply: chatLink({ ...toPeer(promise), topMessageId: 0 }),
    conversation: `/conversations/${dialogId}`,
    brief: `/brief/${dialogId}`,
    task: promise.hasTask ? { href: `/promises/${id}/task`, label: `Task in ${CRM_NAME}` } : undefined,
    ...describeDue(promise, place),
    from: promise.isAdded ? '' : saidWords(promise, place),
    moved: promise.movedFrom ? `moved from ${formatShortDay(promise.movedFrom, place.today)}` : '',
    source: describeSource(promise, place),
    history: describeHistory(promise, place),
    isPerhapsSettled: isPerhapsSettled(promise),
    evidence: evidence && describeEvidence(evidence, promise, place),
    isAutomatic: promise.changedBy === 'automatic',
    canUndo,
    kind: [KINDS[promise.kind], place.clashes?.get(id)].filter(Boolean).join(', '),
    isSettled: promise.state !== 'open' && promise.state !== 'snoozed',
    isDone: promise.state === 'done',
    replacement: promise.reason === 'replaced' ? (promise.replacedByWords ?? '') : '',
    state: closedWords(promise),
    when: formatDayInSentence(findClosedAt(promise), place),
  };
}

/** By id, what the user's own appointments clash with: another one of another conversation, less than an hour apart. */
export function findClashes(promises: readonly UserPromise[]): ReadonlyMap<string, string> {
  const timed = promises.filter(
    promise => promise.kind === 'appointment' && promise.direction === 'mine' && promise.dueTime && !promise.isDoubtful,
  );
  const clashing = new Map<string, string>();
  for (const promise of timed) {
    for (const other of timed) {
      const minutesApart = Math.abs(minuteOf(promise) - minuteOf(other));
      // "Meet Claire" is the same as a visit at that minute of which she was told.
      const isSame = minutesApart === 0 && (namesPeerOf(promise, other) || namesPeerOf(other, promise));
      if (promise.dialogId !== other.dialogId && minutesApart < 60 && !isSame)
        clashing.set(promise.id, `clashes with ${isolateDirection(dialogName(other))}, ${other.dueTime}`);
    }
  }
  return clashing;
}

const minuteOf = ({ dueDate, dueTime }: UserPromise): number => Date.parse(`${dueDate}T${dueTime}Z`) / 60_000;

function namesPeerOf({ words }: UserPromise, other: UserPromise): boolean {
  return words.includes(readPersonName(other.peerName).short || dialogName(other));
}

/** The name of whoever owes the promise, if neither the list nor the conversation says so. */
function describeOwner({ direction, who, ...dialog }: UserPromise, view: List): string {
  if (direction === 'mine') return view === 'put-off' || view === 'closed' ? 'You' : '';
  return who && !mayBeSamePerson(who, dialogName(dialog)) ? who : '';
}

/** The words of a promise. A relative day in them, such as "tomorrow", gets its date: `= Sun 29 Nov`. */
function withDays(promise: MaybeSourced, { today }: RowPlace) {
  const { words, quotes } = describeWords(promise);
  const { dueText, dueDate, movedFrom } = promise;
  const day = movedFrom ?? dueDate;
  if (!day || !dueText || /\p{N}/u.test(dueText)) return { words, quotes };
  const named = quotes.findLast(quote => quote.words.toLowerCase().includes(dueText.toLowerCase()));
  return {
    words,
    quotes: quotes.map(quote => (quote === named ? { ...quote, day: `= ${formatShortDay(day, today)}` } : quote)),
  };
}

/** `said Tue 24 Nov, 14:20`; without the hour where its messages were not kept. */
function saidWords({ firstSaidOn, sources = [] }: MaybeSourced, { today, timezone }: RowPlace): string {
  const last = sources.at(-1);
  if (!last) return `said ${formatDate(firstSaidOn, today)}`;
  const moment = new Date(last.sentAt);
  return `said ${formatShortDay(localDay(moment, timezone), today)}, ${formatTimeOfDay(moment, timezone)}`;
}

/** Red for overdue unless perhaps settled, yellow for the user's due today. */
function describeDue(promise: UserPromise, place: RowPlace) {
  const { today, view } = place;
  const { dueDate, dueTime, dueText, direction, kind, snoozedUntil } = promise;
  const plain = (due: string, time = '') => ({ due, time, tone: 'plain' as const });
  if (view === 'closed') return plain('');
  if (view === 'put-off') return plain(snoozedUntil ? `back on ${formatShortDay(snoozedUntil, today)}` : '');
  if (!dueDate) return plain(dueText ?? '');
  const span = spanWords(promise, today);
  const day = span || formatShortDay(dueDate, today);
  const late = daysBetween(dueDate, today);
  const time = dueTime ? `, ${dueTime}` : '';
  const tone = isOverdue(promise) ? ('late' as const) : ('plain' as const);
  if (late === 0 && promise.isPastDue) return { due: `was due ${dueTime}`, time: '', tone };
  if (late === 0) return { ...plain(span || 'today', time), ...(direction === 'mine' && { tone: 'today' as const }) };
  // "By", as a promise may be kept before its day.
  const preposition = kind !== 'promise' || time || span ? '' : 'by ';
  if (late < 0) return plain(`${preposition}${day}`, time);
  if (kind !== 'promise') return plain(`was ${day}`);
  const words = `was due ${late < 7 && !span ? day.slice(0, 3) : day}${dueTime ? ` ${dueTime}` : ''}`;
  return { due: words, time: '', tone };
}

/** `30 Nov – 6 Dec` for "next week", which names no day; empty for a day, and for one that was changed since. */
function spanWords({ dueDate, dueText, movedFrom, changedBy }: UserPromise, today: string): string {
  const isAsSaid = !movedFrom && changedBy !== 'person';
  const period = isAsSaid && dueDate && dueText ? findPeriod(dueText, dueDate) : null;
  return period ? formatDateSpan(...period, today) : '';
}

function toPeer({ peerUsername, peerPhone, peerKind = 'user', peerKey = '' }: MaybeSourced) {
  return { peerUsername, peerPhone, peer: { kind: peerKind, id: peerKey } };
}

/** Senders, times and Telegram links of its messages; without lines if not kept. */
function describeSource(
  promise: MaybeSourced,
  place: RowPlace,
): { lines: { name: string; when: string }[]; more: string; links: ChatLink[] } {
  const { sources = [], sourceMessageIds } = promise;
  if (sources.length > 0) return describeMessages(sources, toPeer(promise), place);
  return { lines: [], more: '', links: chatLinks(toPeer(promise), sourceMessageIds) };
}

/** Describes what a change rests on, without a link to the chat, which the source already has. */
function describeEvidence(evidence: Evidence, promise: MaybeSourced, place: Pick<RowPlace, 'now' | 'timezone'>) {
  const { who, when, words, messageIds } = evidence;
  const quote = quotedWords(evidence);
  return {
    who,
    quote,
    what: quote ? '' : words,
    when: describeMoment(when, place),
    links: messageLinks(toPeer(promise), messageIds),
  };
}

/** `yesterday, 14:20`; empty for an invalid moment. */
function describeMoment(when: string, { now, timezone }: Pick<RowPlace, 'now' | 'timezone'>): string {
  const moment = new Date(when);
  if (Number.isNaN(moment.getTime())) return '';
  return `${formatDayInSentence(moment, { now, timezone })}, ${formatTimeOfDay(moment, timezone)}`;
}

/** The days that Later offers, each with its key. A Monday that is tomorrow, or next week, is offered once. */
export function laterDays(today: string) {
  const tomorrow = addDays(today, 1);
  const monday = addDays(sundayOf(today), 1);
  const nextWeek = isOnWeekend(today) ? addDays(sundayOf(tomorrow), 1) : addDays(today, 7);
  const days = [{ key: '1', label: 'Tomorrow', day: tomorrow }];
  if (monday !== tomorrow && monday !== nextWeek) days.push({ key: '2', label: 'Monday', day: monday });
  days.push({ key: '3', label: 'Next week', day: nextWeek });
  return days.map(option => ({ ...option, words: formatShortDay(option.day, today) }));
}

/** A line of a promise's history; `day` is '' if unknown. */
type HistoryLine = { icon: string; day: string; words: string };

/** The history of a promise, one line for each known state, oldest first. */
function describeHistory(promise: MaybeSourced, { today, timezone }: RowPlace): HistoryLine[] {
  const { firstSaidOn, lastSaidOn } = findSaidDays(promise, timezone);
  const { movedFrom, dueDate, changedBy, edited, isAdded } = promise;
  const day = (date: string) => formatShortDay(date, today);
  const changed = day(localDay(promise.changedAt, timezone));
  const state = changedBy === null ? undefined : stateWords(promise, day);
  const lines = [
    { icon: 'promise', day: day(firstSaidOn), words: isAdded ? 'Added by you' : promisedWords(promise, day) },
    !isAdded && edited.length > 0 && { icon: 'promise', day: state ? '' : changed, words: 'Edited by you' },
    lastSaidOn !== firstSaidOn && { icon: 'promise', day: day(lastSaidOn), words: 'Said again' },
    movedFrom && {
      icon: 'moved',
      // Later changes keep the day it was moved from, but not when it was moved.
      day: state || changedBy === null ? '' : changed,
      words: `Moved from ${day(movedFrom)} to ${dueDate ? day(dueDate) : 'no day'}`,
    },
    state && { ...state, day: isClosed(promise) ? day(localDay(findClosedAt(promise), timezone)) : changed },
  ];
  return lines.filter(line => typeof line === 'object' && line !== null);
}

/** The days of its messages, where they were kept; a digest may be of a later day than what it is about. */
function findSaidDays({ firstSaidOn, lastSaidOn, sources = [] }: MaybeSourced, timezone: string) {
  const days = sources.map(({ sentAt }) => localDay(new Date(sentAt), timezone)).sort();
  const [first = firstSaidOn, last = lastSaidOn] = [days[0], days.at(-1)];
  return { firstSaidOn: first, lastSaidOn: firstSaidOn === lastSaidOn ? first : last };
}

function promisedWords({ movedFrom, dueDate, dueText, direction }: UserPromise, day: (date: string) => string) {
  const verb = direction === 'unassigned' ? 'Said' : 'Promised';
  const due = movedFrom ?? dueDate;
  if (due) return `${verb} for ${day(due)}`;
  return dueText ? `${verb}: “${dueText}”` : verb;
}

const isClosed = ({ state }: UserPromise): boolean => state === 'done' || state === 'cancelled';

/** The last change, if it is more than a move to another day. */
function stateWords(promise: UserPromise, day: (date: string) => string) {
  const { state, snoozedUntil, changedBy, isDoubtful, movedFrom, edited } = promise;
  const how = changedBy === 'automatic' ? ', closed automatically' : '';
  switch (state) {
    case 'done':
    case 'cancelled':
      return { icon: state === 'done' ? 'check' : 'x', words: `${closedWords(promise)}${how}` };
    case 'dismissed':
    case 'withdrawn':
      return { icon: 'x', words: closedWords(promise) };
    case 'snoozed':
      return { icon: 'clock', words: `Put off until ${snoozedUntil ? day(snoozedUntil) : 'another day'}` };
    case 'open':
      if (isDoubtful) return { icon: 'guess', words: 'Perhaps settled' };
      if (snoozedUntil) return { icon: 'clock', words: `Put off until ${day(snoozedUntil)}` };
      if (changedBy !== 'person' || movedFrom || edited.length > 0) return undefined;
      return { icon: 'undo', words: 'Open again' };
  }
}

/** A settled promise, or one that may have been kept, as `views/shared/promise/_closed` prints it, with what that rests on. */
export function describeClosed(promise: MaybeSourced, where: { now: Date; timezone: string }) {
  const { id, state, reason, isDoubtful, evidence, changedBy, changedAt, canUndo, dueDate } = promise;
  const isKept = state === 'done';
  const isOnDay = reason === 'kept' && localDay(findClosedAt(promise), where.timezone) === dueDate;
  const replacement = reason === 'replaced' && promise.replacedByWords ? promise.replacedByWords : '';
  return {
    id,
    words: formatInLine(promise),
    isKept,
    isPlainlyKept: reason === 'kept',
    isDoubtful,
    what: isOnDay ? 'Kept on the day' : closedWords(promise),
    replacement: replacement && isolateName(replacement, dialogName(promise)),
    evidence: evidence && !replacement ? describeEvidence(evidence, promise, where) : null,
    // A decision of the person is its own evidence.
    by: evidence
      ? ''
      : `${changedBy === 'automatic' ? 'Closed automatically' : 'By you'}, ${formatDayInSentence(changedAt, where)}`,
    action: canUndo && !isDoubtful ? 'undo' : 'reopen',
  };
}

const REASONS: Record<Reason, string> = {
  kept: 'Kept',
  cancelled: 'Cancelled',
  answered: 'Answered',
  handedOver: 'Someone else does it',
  replaced: 'Replaced',
  past: 'Its day is over',
};
const PAST: Record<Exclude<PromiseKind, 'promise'>, string> = {
  appointment: 'Appointment, past',
  deadline: 'Deadline, past',
};

/** When it ended: when that was said, which may be days before it was read; else when it was closed. */
function findClosedAt({ evidence, changedBy, changedAt }: UserPromise): Date {
  const closedAt = evidence && changedBy === 'automatic' ? new Date(evidence.when) : changedAt;
  return Number.isNaN(closedAt.getTime()) ? changedAt : closedAt;
}

/** Why a promise is closed, in a few words; empty for one that is not. */
export function closedWords({ state, reason, kind }: Pick<UserPromise, 'state' | 'reason' | 'kind'>): string {
  if (state === 'dismissed') return 'Not a task';
  if (state === 'withdrawn') return 'No longer in a digest';
  if (!reason) return '';
  return reason === 'past' && kind !== 'promise' ? PAST[kind] : REASONS[reason];
}
