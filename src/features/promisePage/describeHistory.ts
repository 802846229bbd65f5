import { localDay } from '../../lib/timezones.ts';
import { shortDay } from '../../lib/words.ts';
import type { LedgerPromise } from '../promises/schema.ts';

/** One line of a promise's history; `day` is empty if it is not known. */
export type HistoryLine = { icon: string; day: string; words: string };

type Now = { today: string; timezone: string };

/** The history of a promise, one line for each known state, oldest first. */
export function describeHistory(promise: LedgerPromise, { today, timezone }: Now): HistoryLine[] {
  const { firstSaidOn, lastSaidOn, movedFrom, dueDate, changedBy } = promise;
  const day = (date: string) => shortDay(date, today);
  const changed = day(localDay(promise.changedAt, timezone));
  const state = changedBy === null ? undefined : stateWords(promise, day);
  const lines = [
    { icon: 'promise', day: day(firstSaidOn), words: promisedWords(promise, day) },
    lastSaidOn !== firstSaidOn && { icon: 'promise', day: day(lastSaidOn), words: 'Said again' },
    movedFrom && {
      icon: 'moved',
      // Later changes keep the day it was moved from, but not when it was moved.
      day: state || changedBy === null ? '' : changed,
      words: `Moved from ${day(movedFrom)} to ${dueDate ? day(dueDate) : 'no day'}`,
    },
    state && { ...state, day: changed },
  ];
  return lines.filter(line => typeof line === 'object' && line !== null);
}

function promisedWords({ movedFrom, dueDate, dueText, direction }: LedgerPromise, day: (date: string) => string) {
  const said = direction === 'unassigned' ? 'Said' : 'Promised';
  const due = movedFrom ?? dueDate;
  if (due) return `${said} for ${day(due)}`;
  return dueText ? `${said}: “${dueText}”` : said;
}

/** The last change, if it is more than a move to another day. */
function stateWords(promise: LedgerPromise, day: (date: string) => string) {
  const { state, snoozedUntil, changedBy, isDoubtful, movedFrom } = promise;
  const how = changedBy === 'automatic' ? ', closed automatically' : '';
  switch (state) {
    case 'done':
      return { icon: 'check', words: `Kept${how}` };
    case 'cancelled':
      return { icon: 'x', words: `Cancelled${how}` };
    case 'dismissed':
      return { icon: 'x', words: 'Not a task' };
    case 'withdrawn':
      return { icon: 'x', words: 'No longer in the digest' };
    case 'snoozed':
      return { icon: 'clock', words: `Put off until ${snoozedUntil ? day(snoozedUntil) : 'another day'}` };
    case 'open':
      return isDoubtful
        ? { icon: 'guess', words: 'Perhaps kept' }
        : snoozedUntil
          ? { icon: 'clock', words: `Put off until ${day(snoozedUntil)}` }
          : changedBy === 'person' && !movedFrom
            ? { icon: 'undo', words: 'Open again' }
            : undefined;
  }
}
