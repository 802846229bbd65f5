import { oncePer } from '../../../lib/once.ts';

const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

/** The words for units of time in a language and in English, as one and several, from Unicode CLDR: "час", "часа". */
const timeUnitsOf = oncePer((language: string): ReadonlySet<string> => {
  const locales = Intl.NumberFormat.supportedLocalesOf([language, 'en']);
  const words = locales.flatMap(locale =>
    UNITS.flatMap(unit => {
      const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
      return [1, 2, 5].flatMap(count => format.formatToParts(count));
    }),
  );
  return new Set(words.flatMap(({ type, value }) => (type === 'unit' ? value.trim().toLowerCase() : [])));
});

/** Whether a text begins with a unit of time, as behind the number of "2 hours". */
export function beginsWithTimeUnit(text: string, language: string): boolean {
  const [, word = ''] = /^\s?(\p{L}+)/u.exec(text) ?? [];
  return timeUnitsOf(language).has(word.toLowerCase());
}
