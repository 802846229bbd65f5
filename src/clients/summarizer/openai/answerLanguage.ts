import { inMainScript } from '../checker/words.ts';
import type { Conversation } from '../conversation.ts';
import { detectLanguage } from '../language.ts';
import { LANGUAGES } from '../languages/types.ts';

/** Quotations, which stay in the language they were written in. */
export const QUOTED = /[“„«"「]([^“”„«»"「」]{2,400})[”“»"」]/gu;
/** Characters needed to distinguish a language from similar ones. */
const MIN_LETTERS_TO_JUDGE = 80;
/** Accents that no language puts on one letter. */
const HEAPED = /\p{M}{3,}/gu;

/** The language of a model's own words, without what it quotes: ISO 639-1, or 'und'. */
export function detectAnswerLanguage(texts: readonly string[]): string {
  const own = texts.map(text => text.replaceAll(QUOTED, ' ').replaceAll(HEAPED, '')).join(' ');
  return detectLanguage([inMainScript(own)]);
}

/** Whether an answer is in no wanted language (any will do if none is): a few words tell it only of the spoken one. */
export function isInOther(texts: readonly string[], { expected, spoken }: LanguageTarget): boolean {
  const found = detectAnswerLanguage(texts);
  if (expected.length === 0 || expected.includes(found) || !LANGUAGES.some(known => known === found)) return false;
  return found === spoken || texts.join('').length >= MIN_LETTERS_TO_JUDGE;
}

/** ISO 639-1 */
export type LanguageTarget = { expected: readonly string[]; spoken: string };

/** The share of the messages from which on a conversation has a second language. */
const SECOND = 0.2;

/** Without a chosen language, any language of the conversation is allowed. */
export function wantedFor({ language, utterances }: Conversation, chosen: string | null | undefined): LanguageTarget {
  if (chosen) return { expected: [chosen], spoken: language };
  if (language === 'und') return { expected: [], spoken: language };
  const counts = Map.groupBy(utterances, ({ pack }) => pack.code);
  const others = [...counts].filter(([, said]) => said.length >= utterances.length * SECOND).map(([code]) => code);
  return { expected: [language, ...others], spoken: language };
}
