import { countOf, formatCount, numberInside, numberWord, pluralOf } from '../../../lib/words.ts';
import type { Week } from './service.ts';

/** Words that link to the list of what they count. */
export type Told = { words: string; href: string };

/**
 * The headline of a week, which counts the user's own promises, and what follows it. Each number is the length of a
 * list on the page.
 */
export function writeHeadline({ counts, isPresent, isBegun }: Week): { headline: string; told: Told[] } {
  if (!isBegun) return { headline: 'Nothing to look back on yet.', told: [] };
  const { due, kept, late, lateAsked, ahead, aheadDates, putOff, fresh, next, nextDates } = counts;
  const isStillAhead = due > 0 && kept === 0 && late === 0 && isPresent;
  const are = (count: number, one: string, many: string, dates = 0) =>
    `${numberWord(count)} ${pluralOf(count, one, many)}${notTheirs(count, dates)}.`;
  const asked = mayBeSettled(late, lateAsked);
  const told = [
    late > 0 && { words: are(late, `is past its day${asked}`, `are past their day${asked}`), href: '#late' },
    ahead > 0 &&
      !isStillAhead && {
        words: are(ahead, 'is still due this week', 'are still due this week', aheadDates),
        href: '#ahead',
      },
    putOff > 0 && { words: are(putOff, 'is put off', 'are put off'), href: '#putOff' },
    fresh > 0 && { words: are(fresh, 'new one came up', 'new ones came up'), href: '#fresh' },
    next > 0 && isPresent && { words: are(next, 'is due next week', 'are due next week', nextDates), href: '#next' },
  ];
  return { headline: headlineOf(counts, { isPresent, isStillAhead }), told: told.filter(part => part !== false) };
}

/** What is past its day and has been asked about is still open, but hardly late: " (one perhaps settled)", or ''. */
function mayBeSettled(late: number, asked: number): string {
  if (asked === 0) return '';
  return late === 1 ? ' (perhaps settled)' : ` (${asked === late ? 'all' : numberInside(asked)} perhaps settled)`;
}

/** Appointments of both sides are on the user's days, and not in the list of what the user owes. */
function notTheirs(count: number, dates: number): string {
  if (dates === 0) return '';
  return ` (${count === dates ? 'no promise of yours' : `${numberInside(dates)} of them no ${pluralOf(dates, 'promise', 'promises')} of yours`})`;
}

type When = { isPresent: boolean; isStillAhead: boolean };

function headlineOf({ due, kept, ahead }: Week['counts'], { isPresent, isStillAhead }: When): string {
  if (due === 0) return isPresent ? 'Nothing is due this week.' : 'Nothing was due that week.';
  if (isStillAhead) return `${numberWord(due)} ${pluralOf(due, 'promise is', 'promises are')} due this week.`;
  if (due === 1) return kept === 1 ? 'You kept the one promise that was due.' : 'The one promise that was due is open.';
  const week = isPresent ? 'this week' : 'that week';
  return `You kept ${formatCount(kept)} of ${countOf(due, 'promise', 'promises')} due ${week}${isPresent && ahead > 0 ? ' so far' : ''}.`;
}
