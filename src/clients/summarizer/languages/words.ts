import { fold } from '../cleaning.ts';
import words from './words.json' with { type: 'json' };

/**
 * Words that neither the date library nor Intl knows, from `words.json`, by language: patterns over text without
 * accents and capitals. `after` and `dayBefore` leave the day open, `by` makes one a deadline. `notDay`: what only
 * looks like a day, as in "good morning". `number`: a day of the month by its number alone, in its first group. `not`:
 * negations, which are rare in messages about a promise that was kept. `title`: what people put in front of a name.
 * `hour`: one without a mark of hours, in its first group. `numbers`: those of one word up to 100, a thousand, a
 * million and a billion; "one" is an article in most languages. `needs`: words for what the speaker asks for. `news`:
 * words for what was signed, approved, paid, agreed or cancelled. `zone`: what tells that an hour is of another place.
 */
export type Words = Partial<Record<WordKind, string>>;
type WordKind = { [L in keyof typeof words]: keyof (typeof words)[L] }[keyof typeof words];

/** By ISO 639-1. */
export const WORDS: Record<string, Words> = words;

/** Scripts that write words without spaces. */
export const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** In any language, as whole words where there are any. */
const inAnyLanguage = (of: 'not' | 'news') =>
  new RegExp(
    Object.values(WORDS)
      .flatMap(words => words[of] ?? [])
      .map(words => (JOINED.test(words) ? words : `(?<!\\p{L})(?:${words})(?!\\p{L})`))
      .join('|'),
    'u',
  );
const NOT = inAnyLanguage('not');
const NEWS = inAnyLanguage('news');

/** Whether a text says of something that it is not so, or not yet. */
export function saysNot(text: string, language: string): boolean {
  return NOT.test(fold(text, language));
}

/** Whether a text says that something was signed, approved, paid, agreed or cancelled. */
export function saysNews(text: string, language: string): boolean {
  return NEWS.test(fold(text, language));
}
