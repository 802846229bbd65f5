import { Temporal } from 'temporal-polyfill';
import { fold } from '../cleaning.ts';
import { wordsOf } from '../words.ts';

/** Languages whose names of days are told apart from other words, as the Unicode CLDR has them. */
const LOCALES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'ru', 'uk', 'pl', 'nl', 'tr', 'el', 'ar', 'he', 'ja', 'zh', 'ko'];
/** Their names of months and weekdays are words of another kind unless they are capitalized: "may", "so". */
const CAPITALIZED = new Set(['en', 'de']);
const SHORTEST = 3;
const WEEK = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-06', '2024-01-07'];
const MONTHS = WEEK.concat(['2024-01-08', '2024-01-09', '2024-01-10', '2024-01-11', '2024-01-12']).map(
  (_, month) => `2024-${String(month + 1).padStart(2, '0')}-01`,
);

type Meaning = `weekday ${number}` | `month ${number}`;
type Names = Map<string, { meanings: Set<Meaning>; isCapitalized: boolean }>;

let known: Names | undefined;

/** The weekdays and months that a text names, word by word: each may have several meanings, as "mar" has. */
export function daysNamedIn(text: string): { word: string; meanings: ReadonlySet<Meaning> }[] {
  known ??= readNames();
  const names = known;
  const words = text.match(/[\p{L}][\p{L}\p{M}-]*/gu) ?? [];
  return words.flatMap(word => {
    const folded = fold(word, 'en');
    const name = names.get(folded) ?? names.get(beginningOf(folded));
    return name && (!name.isCapitalized || /^\p{Lu}/u.test(word)) ? [{ word, meanings: name.meanings }] : [];
  });
}

/** The weekday and the month of a day, as {@link daysNamedIn} would name them. */
export function meaningsOf(day: string): Meaning[] {
  const date = Temporal.PlainDate.from(day);
  return [`weekday ${date.dayOfWeek}`, `month ${date.month}`];
}

/** Days that a text counts from the day on which it was said: "tomorrow" is the next one. -2 to 2, and 7 for weeks. */
export function daysCountedIn(text: string): number[] {
  const said = ` ${wordsOf(fold(text, 'en')).join(' ')} `;
  return relative().flatMap(([words, days]) => (said.includes(` ${words} `) ? [days] : []));
}

let counted: [string, number][] | undefined;

/** "tomorrow", "übermorgen", "the day after tomorrow", "next week", longest first. */
function relative(): [string, number][] {
  counted ??= LOCALES.flatMap(locale => {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    const days = [-2, -1, 0, 1, 2].map(count => [format.format(count, 'day'), count] as const);
    const weeks = [-1, 0, 1].map(count => [format.format(count, 'week'), 7 * count || 100] as const);
    return [...days, ...weeks].map(([words, count]): [string, number] => [wordsOf(fold(words, 'en')).join(' '), count]);
  }).filter(([words]) => words.length > 0 && !/\p{N}/u.test(words));
  return counted;
}

const LONG_ENOUGH_TO_INFLECT = 6;

/** What a name has in common with its inflections: пятница, в пятницу. */
function beginningOf(name: string): string {
  return name.length < LONG_ENOUGH_TO_INFLECT ? name : name.slice(0, -1);
}

/** Making a format takes long: each is made once. */
function readNames(): Names {
  const names: Names = new Map();
  for (const locale of LOCALES) {
    for (const [field, days] of Object.entries({ weekday: WEEK, month: MONTHS }) as ['weekday' | 'month', string[]][]) {
      for (const format of formatsOf(locale, field)) {
        for (const [index, day] of days.entries()) {
          const name = nameOf(day, format, field);
          if (name.length < SHORTEST) continue;
          const { meanings, isCapitalized } = names.get(name) ?? { meanings: new Set<Meaning>(), isCapitalized: true };
          meanings.add(`${field} ${index + 1}`);
          const entry = { meanings, isCapitalized: isCapitalized && CAPITALIZED.has(locale) };
          names.set(name, entry);
          if (!names.has(beginningOf(name))) names.set(beginningOf(name), entry);
        }
      }
    }
  }
  return names;
}

function formatsOf(locale: string, field: 'weekday' | 'month'): Intl.DateTimeFormat[] {
  const forms: Intl.DateTimeFormatOptions[] = [
    { [field]: 'long' },
    // In a date, a month may be in another case than alone.
    { [field]: 'long', day: 'numeric', month: 'long' },
    ...(CAPITALIZED.has(locale) ? [{ [field]: 'short' } as const] : []),
  ];
  return forms.map(form => new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC', calendar: 'gregory' }));
}

/** Empty for a name of several words. */
function nameOf(day: string, format: Intl.DateTimeFormat, field: 'weekday' | 'month'): string {
  const parts = format.formatToParts(new Date(`${day}T12:00:00Z`));
  const words = fold(parts.find(({ type }) => type === field)?.value ?? '', 'en')
    .replaceAll('.', '')
    .split(' ');
  return words.length === 1 ? (words[0] ?? '') : '';
}
