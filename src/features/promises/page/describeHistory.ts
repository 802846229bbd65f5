import { localDay } from '../../../lib/timezones.ts';
import { shortDay } from '../../../lib/words.ts';
import type { LedgerPromise, SourcedPromise } from '../schema.ts';
import { closedWords, momentClosed } from './closedWords.ts';

/** One line of a promise's history; `day` is empty if it is not known. */
export type HistoryLine = { icon: string; day: string; words: string };

type Now = { today: string; timezone: string };

/** The history of a promise, one line for each known state, oldest first. */
export function describeHistory(
  promise: LedgerPromise & Partial<Pick<SourcedPromise, 'sources'>>,
  { today, timezone }: Now,
): HistoryLine[] {
  const { firstSaidOn, lastSaidOn } = saidOn(promise, timezone);
  const { movedFrom, dueDate, changedBy, edited, isAdded } = promise;
  const day = (date: string) => shortDay(date, today);
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
    state && { ...state, day: isOver(promise) ? day(localDay(momentClosed(promise), timezone)) : changed },
  ];
  return lines.filter(line => typeof line === 'object' && line !== null);
}

/** The days of its messages, where they were kept; a digest may be of a later day than what it is about. */
function saidOn(
  { firstSaidOn, lastSaidOn, sources = [] }: LedgerPromise & Partial<Pick<SourcedPromise, 'sources'>>,
  timezone: string,
) {
  const days = sources.map(({ sentAt }) => localDay(new Date(sentAt), timezone)).sort();
  const [first = firstSaidOn, last = lastSaidOn] = [days[0], days.at(-1)];
  return { firstSaidOn: first, lastSaidOn: firstSaidOn === lastSaidOn ? first : last };
}

function promisedWords({ movedFrom, dueDate, dueText, direction }: LedgerPromise, day: (date: string) => string) {
  const said = direction === 'unassigned' ? 'Said' : 'Promised';
  const due = movedFrom ?? dueDate;
  if (due) return `${said} for ${day(due)}`;
  return dueText ? `${said}: “${dueText}”` : said;
}

function isOver({ state }: LedgerPromise): boolean {
  return state === 'done' || state === 'cancelled';
}

/** The last change, if it is more than a move to another day. */
function stateWords(promise: LedgerPromise, day: (date: string) => string) {
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
      return isDoubtful
        ? { icon: 'guess', words: 'Perhaps settled' }
        : snoozedUntil
          ? { icon: 'clock', words: `Put off until ${day(snoozedUntil)}` }
          : changedBy === 'person' && !movedFrom && edited.length === 0
            ? { icon: 'undo', words: 'Open again' }
            : undefined;
  }
}
