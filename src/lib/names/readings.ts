import { listVariants } from './givenNames.ts';
import { isLatin, isRomanisable, romanise, romanKey, toLatinLetters } from './romanise.ts';
import { cutName, type Segment, toPlainSegment } from './segments.ts';
import { splitPersonWords } from './titles.ts';
import { isParticle, type Token } from './tokens.ts';

/** A word of a name in small letters, as two names are compared. */
export type Word = {
  /** Latin forms if possible, most common first. Never empty. */
  forms: readonly string[];
  /** See {@link romanKey}; of the same name in other languages, too. */
  keys: readonly string[];
} & { text: string; isLatin: boolean; isInitial: boolean; isParticle: boolean; isJoinedByHyphen: boolean };

/** A possible reading of a written name. */
export type Reading = {
  words: readonly Word[];
  /** Words in lower case with hyphens and apostrophes, without titles. */
  tokens: readonly string[];
  /** jr, sr, ii, iii, iv or ''. */
  generation: string;
  /** Cut off: a company, a place, whatever. */
  extras: readonly string[];
  /** The name is in a script that doesn't tell how it is written in Latin letters: worth a suggestion only. */
  isGuess: boolean;
};

/** A name that is kept in two fields, taken apart; `given` is how many of the words are in the first one. */
export type FiledName = { words: readonly Word[]; given: number; generation: string };

const MAX_WORDS = 8;
const SAINTS = new Set(['saint', 'st', 'sankt']);
const HAN = /^\p{Script=Han}{2,4}$/u;

/**
 * Takes a name as people write it in a messenger apart for comparing, the likeliest reading first: "🚀 Anna Petrova | Acme"
 * is Anna Petrova with the extra Acme, or else Acme with the extra Anna Petrova. No reading without a letter.
 * @param username its words are readings of a name in another script, as 佐藤 美咲 may be @sato_misaki
 */
export function readName(written: string, username = ''): Reading[] {
  const { segments, bracketed } = cutName(written);
  const readings = segments.map(segment => {
    const otherSegments = [...segments, ...bracketed].filter(other => other !== segment && other.kind !== 'role');
    return { ...readSegment(segment), extras: otherSegments.map(({ text }) => text) };
  });
  return [...readings, ...listGuesses(readings[0], username)].filter(({ words }) => words.length > 0);
}

/** A name in another script as a library spells it, 王小明 as Wang Xiaoming, or as the username may tell. */
function listGuesses(first: Reading | undefined, username: string): Reading[] {
  if (!first || first.words.length === 0 || first.words.some(({ text }) => isRomanisable(text))) return [];
  const parts = first.tokens.flatMap(token => (HAN.test(token) ? [token.slice(0, 1), token.slice(1)] : token));
  const spelled = (first.tokens.length === 1 ? parts : first.tokens).map(toLatinLetters).filter(Boolean);
  const called = username.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return [spelled, ...called.map(word => [word])].map(tokens => {
    return { ...first, tokens, words: toNameWords(tokens), isGuess: true };
  });
}

function readSegment({ tokens }: Segment): Reading {
  const { names, generation } = splitPersonWords(tokens);
  const smalls = toSmallWords(names);
  return { words: toNameWords(smalls), tokens: smalls, generation, extras: [], isGuess: false };
}

export function readFiledName(firstName: string, lastName: string): FiledName {
  const [given, family] = [readSegment(toPlainSegment(firstName)), readSegment(toPlainSegment(lastName))];
  const words = [...given.words, ...family.words];
  return { words, given: given.words.length, generation: given.generation || family.generation };
}

/** A name's words as they are looked up: small letters, hyphens and apostrophes kept. */
function toSmallWords(names: readonly Token[]): string[] {
  const parts = names.flatMap(({ written }) => written.toLowerCase().split('.'));
  const words = parts.map(part => part.replace(/[^\p{L}\p{M}'-]/gu, ''));
  return words.filter(word => /\p{L}/u.test(word)).slice(0, MAX_WORDS);
}

export function toNameWords(smalls: readonly string[]): Word[] {
  const parts = smalls.map(small => small.split('-').filter(part => /\p{L}/u.test(part)));
  return parts.flatMap(hyphenated => hyphenated.map(part => readWord(part, hyphenated.length > 1))).slice(0, MAX_WORDS);
}

function readWord(part: string, isJoinedByHyphen: boolean): Word {
  const text = part.replaceAll("'", '');
  const romanised = SAINTS.has(text) ? ['saint', 'st'] : romanise(text);
  const forms = romanised.length > 0 ? romanised : [text];
  const [main = text] = forms;
  const own = forms.map(romanKey);
  const keys = [...new Set([...own, ...own.flatMap(key => listVariants(key).map(romanKey))])];
  const isInitial = [...text].length === 1 && /^[a-z]/.test(main);
  const kind = { isLatin: isLatin(text), isInitial, isParticle: isParticle({ key: main }), isJoinedByHyphen };
  return { text, forms, keys, ...kind };
}
