import words from './words.json' with { type: 'json' };

/**
 * What people say that neither the date library nor Intl knows, in `words.json`, by language: patterns over text without
 * accents and capitals. `number`: a day of the month by its number alone, in its first group. `not`: what a promise that
 * was kept is hardly told with. `title`: what people put in front of a name.
 */
export type Words = Partial<
  Record<
    'before' | 'tomorrow' | 'weekend' | 'endOfWeek' | 'endOfMonth' | 'nextWeek' | 'number' | 'not' | 'title',
    string
  >
>;

/** By ISO 639-1. */
export const WORDS: Record<string, Words> = words;
