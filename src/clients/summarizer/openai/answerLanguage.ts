import { keepMainScript } from '../checker/words.ts';
import type { Conversation } from '../conversation.ts';
import { detectLanguage } from '../language.ts';
import { LANGUAGES } from '../languages/types.ts';

/** Quotations, which stay in the language they were written in. */
export const QUOTED = /[“„«"「]([^“”„«»"「」]{2,400})[”“»"」]/gu;
/** Characters needed to distinguish a language from similar ones. */
const MIN_LETTERS_TO_JUDGE = 80;
/** Three or more accents on one letter, which no language has. */
const HEAPED = /\p{M}{3,}/gu;

/** The language of a model's own words, without what it quotes: ISO 639-1, or 'und'. */
export function detectAnswerLanguage(texts: readonly string[]): string {
  const own = texts.map(text => text.replaceAll(QUOTED, ' ').replaceAll(HEAPED, '')).join(' ');
  return detectLanguage([keepMainScript(own)]);
}

/** Whether an answer is in none of the expected languages. A short one is rejected only if it is in the spoken language. */
export function isInUnwantedLanguage(texts: readonly string[], { expected, spoken }: LanguageTarget): boolean {
  const found = detectAnswerLanguage(texts);
  if (expected.length === 0 || expected.includes(found) || !LANGUAGES.some(known => known === found)) return false;
  return found === spoken || texts.join('').length >= MIN_LETTERS_TO_JUDGE;
}

/** ISO 639-1 */
export type LanguageTarget = { expected: readonly string[]; spoken: string };

/** The share of the messages from which on a conversation has a second language. */
const SECOND_LANGUAGE_SHARE = 0.2;

/** Without a chosen language, any language of the conversation is allowed. */
export function findLanguageTarget(
  { language, utterances }: Conversation,
  chosen: string | null | undefined,
): LanguageTarget {
  if (chosen) return { expected: [chosen], spoken: language };
  if (language === 'und') return { expected: [], spoken: language };
  const counts = Map.groupBy(utterances, ({ pack }) => pack.code);
  const others = [...counts]
    .filter(([, said]) => said.length >= utterances.length * SECOND_LANGUAGE_SHARE)
    .map(([code]) => code);
  return { expected: [language, ...others], spoken: language };
}
