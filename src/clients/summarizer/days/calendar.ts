import { Temporal } from 'temporal-polyfill';
import { once, oncePer } from '../../../lib/once.ts';
import { fold, toWords } from '../cleaning.ts';
import { stopwordsOf } from '../languages/stopwords.ts';
import { dayNames, foldInPlace } from './names.ts';

/** Languages whose day names are recognizable, from Unicode CLDR. */
const LOCALES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'ru', 'uk', 'pl', 'nl', 'tr', 'el', 'ar', 'he', 'ja', 'zh', 'ko'];
/** Languages whose month and weekday names are other words in lower case: "may", "so". */
const CAPITALIZED = new Set(['en', 'de']);
/** Languages that inflect names in dates and after prepositions: в пятницу. */
const INFLECTED = new Set(['ru', 'uk', 'pl', 'el']);
const MIN_DAY_NAME_LENGTH = 3;
const LONG_ENOUGH_TO_INFLECT = 6;

export type Meaning = `weekday ${number}` | `month ${number}`;
export type NamedDay = { word: string; index: number; meanings: ReadonlySet<Meaning> };
type Names = Map<string, { meanings: Set<Meaning>; isCapitalized: boolean }>;

const WORD = /\p{L}[\p{L}\p{M}-]*/gu;

/**
 * The weekdays (Monday is 1) and months that a text names in any language, word by word: "mar" has two meanings. In its own
 * language also months that are cut short beside a number: "28 nov", "24 ноя", "25 בנוב׳".
 */
export function findNamedDays(text: string, language: string): NamedDay[] {
  const short = [...text.matchAll(WORD)].flatMap(({ 0: word, index }): NamedDay[] => {
    const isNextToNumber =
      /\d[.º]? ?(?:de )?$/u.test(text.slice(0, index)) || /^\.? ?\d/.test(text.slice(index + word.length));
    const start = foldInPlace(word).replace(/^ב/, '');
    const [month, ...others] =
      isNextToNumber && start.length >= MIN_DAY_NAME_LENGTH
        ? monthsOf(language).filter(({ name }) => name.startsWith(start))
        : [];
    return month && others.length === 0 ? [{ word, index, meanings: new Set([month.meaning]) }] : [];
  });
  return [...findDayNames(text, allDayNames()), ...short];
}

const monthsOf = oncePer((language: string) =>
  dayNames(language).months.map(({ name }, at) => ({ name, meaning: `month ${at + 1}` as const })),
);

/** The weekdays and months in a text that someone typed: also in small letters, without accents, or abbreviated. */
export function findTypedDays(text: string, language: string): NamedDay[] {
  const written = withoutLookalikes(text, language);
  const typed = [...findDayNames(written, unaccentedNames(), true), ...findDayNames(written, shortNames(language), true)];
  const found = typed.filter(({ word, index }) => !isEverydayWord(written, { word, index }, language));
  return [...new Map(found.map(one => [`${one.index} ${[...one.meanings]}`, one])).values()];
}

/** Languages whose three-letter weekdays are common words: "jeu", "mer", "mar". */
const ROMANCE = ['fr', 'it', 'es', 'pt', 'ro'];

/** Whether a weekday that is cut short is an everyday word, as it is where no number follows and no dot. */
export function isEverydayWord(text: string, { word, index }: { word: string; index: number }, language: string): boolean {
  return (
    ROMANCE.includes(language) &&
    word.length === 3 &&
    !/^(?:\.|,? ?\d)/.test(text.slice(index + word.length)) &&
    !/\d[.º]? ?(?:de )?$/u.test(text.slice(0, index))
  );
}

/** "Version 2.12", "Kapitel 2.12": a date has another word before it, or none. */
const VERSION_NUMBER = /(?<=(?<!\p{L})(\p{L}{2,20})\.? )(?:[12]?\d|3[01])\.(?:1[0-2]|0?[1-9])(?![\p{N}%€$.:])/gu;
const lookalikes = oncePer((language: string) => new RegExp(dayNames(language).said.notDay, 'gu'));

/** A text with spaces for what only looks like a day: "good morning", "version 2.12". */
export function withoutLookalikes(text: string, language: string): string {
  const spaces = (words: string) => ' '.repeat(words.length);
  const isDay = (word: string) =>
    [unaccentedNames(), shortNames(language)].some(names => findDayNames(word, names, true).length > 0);
  const isPart = (word: string) => !stopwordsOf(language).has(word.toLowerCase()) && !isDay(word);
  const written = text
    .normalize('NFC')
    .replaceAll(VERSION_NUMBER, (part, word: string) => (isPart(word) ? spaces(part) : part));
  const found = [...foldInPlace(written).matchAll(lookalikes(language))];
  return found.reduce(
    (read, { 0: words, index }) => read.slice(0, index) + spaces(words) + read.slice(index + words.length),
    written,
  );
}

function findDayNames(text: string, known: Names, isTyped = false): NamedDay[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const folded = isTyped ? foldInPlace(word) : fold(word, 'en');
    const name = known.get(folded) ?? known.get(nameBeginning(folded));
    if (!name || (name.isCapitalized && !isTyped && !/^\p{Lu}/u.test(word))) return [];
    return [{ word, index, meanings: name.meanings }];
  });
}

/** The weekday and the month of a day (YYYY-MM-DD), as {@link findNamedDays} would name them. */
export function dayMeanings(day: string): Meaning[] {
  const date = Temporal.PlainDate.from(day);
  return [`weekday ${date.dayOfWeek}`, `month ${date.month}`];
}

/** Marker for the current calendar week, in place of a number of days. */
export const THIS_WEEK = 100;

/** Relative days in a text, from -2 to 2 ("tomorrow" is 1). For weeks: -7 the last, 7 the next and {@link THIS_WEEK}. */
export function findCountedDays(text: string): number[] {
  const said = ` ${toWords(fold(text, 'en')).join(' ')} `;
  return relativePhrases().flatMap(([words, days]) => (said.includes(` ${words} `) ? [days] : []));
}

/** "tomorrow", "übermorgen", "the day after tomorrow", "next week". */
const relativePhrases = once(() =>
  LOCALES.flatMap(locale => {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    const days = [-2, -1, 0, 1, 2].map(count => [format.format(count, 'day'), count] as const);
    const weeks = [-1, 0, 1].map(count => [format.format(count, 'week'), 7 * count || THIS_WEEK] as const);
    return [...days, ...weeks].map(([words, count]): [string, number] => [toWords(fold(words, 'en')).join(' '), count]);
  }).filter(([words]) => words.length > 0 && !/\p{N}/u.test(words)),
);

/** The part of a name that its inflections share: пятница, в пятницу. */
const nameBeginning = (name: string): string => (name.length < LONG_ENOUGH_TO_INFLECT ? name : name.slice(0, -1));

const allDayNames = once(() => {
  const found: Names = new Map();
  // Includes inflected forms: in a date, a month's case may differ.
  for (const locale of LOCALES) for (const form of [{}, { day: 'numeric' }] as const) addNames(found, locale, form);
  for (const locale of CAPITALIZED) addNames(found, locale, {}, 'short', MIN_DAY_NAME_LENGTH);
  return found;
});

/** Used for typed text only: in a digest "Marco" is a person rather than "março". */
const unaccentedNames = once(() => new Map([...allDayNames()].map(([name, one]) => [foldInPlace(name), one])));

/** Short names that are no other word of the language. */
const shortNames = oncePer((language: string) => {
  const found: Names = new Map();
  const [locale = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(language);
  for (const length of ['short', 'long'] as const) addNames(found, locale, {}, length);
  for (const word of stopwordsOf(language)) found.delete(word);
  // "Sexta-feira" is said as "sexta".
  for (const [name, one] of [...found]) found.set(foldInPlace(name).split('-')[0] ?? name, one);
  return found;
});

function addNames(
  found: Names,
  locale: string,
  form: Intl.DateTimeFormatOptions,
  length: 'long' | 'short' = 'long',
  shortest = length === 'long' ? MIN_DAY_NAME_LENGTH : 2,
): void {
  for (const [field, count] of [
    ['weekday', 7],
    ['month', 12],
  ] as const) {
    const month = 'day' in form ? { month: length } : {};
    const format = new Intl.DateTimeFormat(locale, {
      ...form,
      ...month,
      [field]: length,
      timeZone: 'UTC',
      calendar: 'gregory',
    });
    for (let at = 0; at < count; at += 1) {
      // January 2024 begins with a Monday.
      const parts = format.formatToParts(field === 'month' ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, at + 1));
      const name = fold(parts.find(({ type }) => type === field)?.value ?? '', 'en').replaceAll('.', '');
      if (name.includes(' ') || name.length < shortest) continue;
      for (const key of INFLECTED.has(locale) ? [name, nameBeginning(name)] : [name]) {
        const known = found.get(key) ?? { meanings: new Set<Meaning>(), isCapitalized: true };
        known.meanings.add(`${field} ${at + 1}`);
        if (key === name || !found.has(key)) found.set(key, known);
        known.isCapitalized &&= CAPITALIZED.has(locale);
      }
    }
  }
}

/** The next day with that number in this month or the next two, one of which has every day up to 31; null for none. */
export function nextDayOfMonth(today: Temporal.PlainDate, day: number): Temporal.PlainDate | null {
  const months = [0, 1, 2].map(later => today.with({ day: 1 }).add({ months: later }));
  const month = months.find(({ daysInMonth }, later) => day <= daysInMonth && (later > 0 || day >= today.day));
  return day < 1 || !month ? null : month.with({ day });
}

/** The next such day; one that was only weeks or months ago counts as a past day of this year. Null for 30 February. */
export function toDate(
  today: Temporal.PlainDate,
  { year, month, day }: { year: number | null; month: number; day: number },
) {
  if (month < 1 || month > 12 || day < 1) return null;
  const inYear = (each: number) => {
    const first = Temporal.PlainDate.from({ year: each, month, day: 1 });
    return day <= first.daysInMonth ? first.with({ day }) : null;
  };
  const date = inYear(year ?? today.year);
  const isLongAgo = date && Temporal.PlainDate.compare(date, today.subtract({ days: 120 })) < 0;
  return year === null && (!date || isLongAgo) ? inYear(today.year + 1) : date;
}

export function countDaysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: 'days' }).days;
}

/** The next such weekday after `today`: for the same day people say "today". */
export function nextWeekday(today: Temporal.PlainDate, dayOfWeek: number): Temporal.PlainDate {
  return today.add({ days: ((dayOfWeek - today.dayOfWeek + 6) % 7) + 1 });
}

/** The last day before `today` that is this weekday, from 1 for Monday. */
export function lastWeekday(today: Temporal.PlainDate, dayOfWeek: number): Temporal.PlainDate {
  return today.subtract({ days: ((today.dayOfWeek - dayOfWeek + 6) % 7) + 1 });
}
