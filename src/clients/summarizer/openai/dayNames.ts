import type { Temporal } from 'temporal-polyfill';
import { fold } from '../cleaning.ts';
import { LANGUAGES } from '../languages/types.ts';
import { wordsOf } from '../words.ts';

/** Days within which a bare weekday is meant, and those that languages have words for, as "the day after tomorrow". */
const NEXT_WEEKS = 14;
const NEAREST = 3;
/**
 * Whether words name a day in a language, as the Unicode CLDR has its names: the month with the number of the day
 * and, in languages that we have no calendar of our own for, the weekday or a word such as "tomorrow".
 * @param said the day on which they were said
 */
export function namesDay(words: string, language: string, day: Temporal.PlainDate, said: Temporal.PlainDate): boolean {
  const locale = localeOf(language);
  if (locale === null) return false;
  const spoken = wordsOf(fold(words, language));
  const away = said.until(day).days;
  const names = (field: 'weekday' | 'month') => namesOf(day, locale, field).some(name => spoken.includes(name));
  if (spoken.some(word => Number.parseInt(word, 10) === day.day) && names('month')) return true;
  // Where our calendar knows the words and counts no day, they mean something else.
  if ((LANGUAGES as readonly string[]).includes(language)) return false;
  if (away >= 0 && away < NEXT_WEEKS && names('weekday')) return true;
  return Math.abs(away) <= NEAREST && saysHowFar(spoken, away, locale);
}

function localeOf(language: string): string | null {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? null;
  } catch {
    return null;
  }
}

const FORMS: Intl.DateTimeFormatOptions[] = [
  { weekday: 'long', month: 'long' },
  { weekday: 'short', month: 'short' },
  // In a date, a month may be in another case than alone.
  { weekday: 'long', month: 'long', day: 'numeric' },
];

function namesOf(day: Temporal.PlainDate, locale: string, field: 'weekday' | 'month'): string[] {
  const moment = Date.UTC(day.year, day.month - 1, day.day);
  return FORMS.flatMap(form => {
    const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC', calendar: 'gregory' });
    const { value = '' } = format.formatToParts(moment).find(({ type }) => type === field) ?? {};
    return wordsOf(fold(value, locale)).slice(0, 1);
  });
}

/** "Tomorrow", "overmorgen" */
function saysHowFar(spoken: string[], days: number, locale: string): boolean {
  const words = wordsOf(fold(new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day'), locale));
  return !words.some(word => /\p{N}/u.test(word)) && words.every(word => spoken.includes(word));
}
