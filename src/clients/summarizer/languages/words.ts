import { fold, withoutAccents } from '../cleaning.ts';
import words from './words.json' with { type: 'json' };

/**
 * Words unknown to the date library and Intl, from `words.json`, by language: patterns over text without accents and
 * capitals. `after` and `dayBefore` leave the day open ("better than Friday"), `by` makes one a deadline, `next` one of the next week.
 * `notDay`: phrases like "good morning". `number`: a day of the month by number alone, in its first group. `not`: negations,
 * rare in messages about a kept promise. `title`: titles before names. `hour`: an hour without a sign for hours, in its
 * first group. `numbers`: single words up to 100, a thousand, a million and a billion; "one" is an article in most
 * languages. `needs`: words for requests, with what makes them the speaker's own task in the first group. `news`: words for
 * signing, approving, paying, agreeing or cancelling. `zone`: signs of another place's time. `past`: a half or a quarter
 * behind an hour. `lasts`: what precedes how long something takes.
 */
export type WordPatterns = Partial<Record<WordKind, string>>;
type WordKind = { [L in keyof typeof words]: keyof (typeof words)[L] }[keyof typeof words];

/** Keyed by ISO 639-1 code. */
export const WORD_PATTERNS: Record<string, WordPatterns> = words;

/** Scripts that write words without spaces. */
export const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The source of a pattern: one kind of words in all languages. */
export const inAllLanguages = (kind: WordKind): string =>
  Object.values(WORD_PATTERNS)
    .flatMap(words => words[kind] ?? [])
    .join('|');

/** Words of all languages, matched as whole words where a script has them. */
const inAnyLanguage = (list: 'not' | 'news') =>
  new RegExp(
    Object.values(WORD_PATTERNS)
      .flatMap(words => words[list] ?? [])
      .map(words => (JOINED.test(words) ? words : `(?<!\\p{L})(?:${words})(?!\\p{L})`))
      .join('|'),
    'u',
  );
const NOT = inAnyLanguage('not');
const NEWS = inAnyLanguage('news');

/** Whether a text says of something that it is not so, or not yet. */
export const saysNot = (text: string, language: string): boolean => NOT.test(withoutAccents(fold(text, language)));

/** Whether a text says that something was signed, approved, paid, agreed or cancelled. */
export const saysNews = (text: string, language: string): boolean => NEWS.test(withoutAccents(fold(text, language)));
