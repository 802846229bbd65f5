import { Temporal } from 'temporal-polyfill';
import type { Lexicon } from '../languages/lexicon.ts';
import type { Reading } from './types.ts';
import type { When } from './when.ts';

/** For this many turns after "next week?", a weekday is one of that week. */
export const WEEK_NEAR = 3;

/** The week that was just asked about or proposed, as its Friday. English says "next Wednesday". */
export function weekAskedAbout(readings: Reading[]): string | null {
  const asked = readings.findLast(
    ({ sentence, proposes, when, lexicon: { calendar, hasTagger } }) =>
      !hasTagger && (sentence.isQuestion || proposes) && when && calendar.nextWeek.test(when.words.toLowerCase()),
  );
  return asked?.when?.date ?? null;
}

/** Days from the Friday that stands for a week to its Monday and to its Sunday. */
const [TO_MONDAY, TO_SUNDAY] = [4, 2];

/** "Next week?" – "On Wednesday": the Wednesday of that week. @param week its Friday, YYYY-MM-DD */
export function withinWeek(when: When | null, week: string | null, { weekdays }: Lexicon['calendar']): When | null {
  const words = when?.words.toLowerCase() ?? '';
  if (!when || !week || /\p{N}/u.test(words) || !weekdays.some(weekday => weekday.test(words))) return when;
  const friday = Temporal.PlainDate.from(week);
  const later = Temporal.PlainDate.from(when.date).add({ days: 7 });
  const isOfIt =
    Temporal.PlainDate.compare(later, friday.subtract({ days: TO_MONDAY })) >= 0 &&
    Temporal.PlainDate.compare(later, friday.add({ days: TO_SUNDAY })) <= 0;
  return isOfIt ? { ...when, date: later.toString() } : when;
}
