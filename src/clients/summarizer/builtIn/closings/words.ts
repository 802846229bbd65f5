import anyAscii from 'any-ascii';
import { fold } from '../../cleaning.ts';
import { everywhere } from '../../languages/compile.ts';
import { type Lexicon, lexiconOf } from '../../languages/lexicon.ts';
import { contentWords, isUnspaced, wordsOf } from '../../words.ts';
import { isNounBehind } from '../table/verbs.ts';

const LONGEST_ENDING = 3;

/** The words of a text that name something, each once: no days, no verbs, none of `without` (folded). */
export function thingsIn(text: string, lexicon: Lexicon, without: ReadonlySet<string>): string[] {
  const { code, everyday } = lexicon;
  const all = wordsOf(withoutDays(fold(text, code), lexicon));
  const isFirst = (at: number) => at === 0 && lexicon.grammar?.nounsLikeVerbs === true;
  const words = all.filter((word, at) => !isVerb(word, lexicon) || isFirst(at) || isNoun(all, at, lexicon));
  const isThing = (word: string) => !isName(word, without, code) && !/^\d/.test(word) && !everyday.includes(word);
  return [...new Set([...contentWords(words, lexicon).filter(isThing), ...amountsIn(text)])].slice(0, MOST_THINGS);
}

/** Amounts and numbers of things, without their marks: "84.50" is "8450". No hours, no years, none of one or two digits. */
export function amountsIn(text: string): string[] {
  return (text.match(AMOUNT) ?? [])
    .map(number => number.replaceAll(/[.,]/g, ''))
    .filter(number => number.length > 2 && !/^20\d\d$/.test(number));
}

const AMOUNT = /(?<![\p{L}\p{N}:.,/-])\d[\d.,]{0,12}\d(?![\p{L}\p{N}:/-])/gu;

/** Whether the word is a name, even in another case: "Юлии". */
export function isName(word: string, names: ReadonlySet<string>, code: string): boolean {
  if (names.has(word)) return true;
  return !lexiconOf(code).onlyPlurals && [...names].some(name => name.length > 2 && isSameWord(word, name, code));
}

const MOST_THINGS = 16;

function withoutDays(folded: string, { calendar }: Lexicon): string {
  return folded.replaceAll(everywhere(calendar.anyDay), ' ');
}

/** Only past forms and infinitives: other forms may be nouns as well ("la factura"). */
function isVerb(word: string, lexicon: Lexicon): boolean {
  // A single character is half a word: 書 of 契約書 is no contract, and 发 is in 发票.
  if (isUnspaced(word)) return word.length < 2;
  const roles = lexicon.verbs.get(word)?.flatMap(form => [...form.roles]) ?? [];
  return roles.some(role => role === 'done' || role === 'participle' || role === 'infinitive');
}

/** "The order", "sent quote": where a verb has the form of a noun, what is before it tells. */
export function isNoun(words: string[], at: number, lexicon: Lexicon): boolean {
  const before = words[at - 1];
  if (before === undefined || !lexicon.grammar?.nounsLikeVerbs) return false;
  const isForm = lexicon.verbs.get(words[at] ?? '')?.some(({ roles }) => roles.has('infinitive')) ?? false;
  return isForm && (isNounBehind(before, lexicon) || !lexicon.stopwords.has(before));
}

/** Whether what was taken for a thing may be a verb; where verbs have the form of nouns, its place has told. */
export function mayBeVerb(word: string, { grammar, verbs }: Lexicon): boolean {
  return !grammar?.nounsLikeVerbs && verbs.has(word);
}

const DEEDS = ['sends', 'pays', 'signs', 'calls', 'books', 'tells', 'approves', 'repairs', 'opens'] as const;

/** The kind of deed that a text is about; a word may belong to several. */
export type DeedKind = (typeof DEEDS)[number];

export function deedsIn(folded: string, { promises }: Lexicon): Set<DeedKind> {
  return new Set(DEEDS.filter(kind => promises[kind].test(folded)));
}

/** This and the next compare codes of characters: they run for every pair of words, where a pattern takes ten times as long. */
function beginsWithDigit(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** Scripts without spaces begin with Thai, at U+0E00. */
function mayBeUnspaced(word: string): boolean {
  return word.charCodeAt(0) >= 0x0e00 || word.charCodeAt(word.length - 1) >= 0x0e00;
}

/** Whether two words may be forms of one. Stricter than stems: "contract" is no "contractor". */
export function isSameWord(one: string, other: string, code: string): boolean {
  if (one === other) return true;
  if (beginsWithDigit(one) || beginsWithDigit(other)) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (mayBeUnspaced(long) && isUnspaced(long)) return short.length >= 2 && long.includes(short);
  if (lexiconOf(code).onlyPlurals) {
    // Forms share their first letter and differ by at most two letters: that alone tells most words apart.
    if (long.length - short.length > LONGEST_PLURAL || (short.length > 1 && short[0] !== long[0])) return false;
    return [`${short}s`, `${short}es`, `${short}'s`].includes(long) || plural(short) === plural(long);
  }
  // "Muster" is a "Stoffmuster"; Hebrew and Arabic write their articles at the front.
  if (long.endsWith(short)) return PREFIXING.test(short) ? long.length - short.length <= 3 : short.length >= 5;
  if (short.length < 3) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= Math.max(3, long.length - LONGEST_ENDING) && (same >= 4 || long.length - same <= 1);
}

const LONGEST_PLURAL = 2;
const PREFIXING = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

function plural(word: string): string {
  return word.replace(/(?<=\p{L}{3})s$/u, '');
}

/** Numbers right before or after a word: "invoice 14", "14 boxes". */
export function numbersBeside(word: string, folded: string, code: string): string[] {
  const words = folded.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,/-]*/gu) ?? [];
  return words.flatMap((candidate, at) => {
    const bare = candidate.replace(/[.,]{1,3}$/, '');
    if (!isSameWord(bare, word, code)) return [];
    const near = [words[at - 1], words[at + 1]];
    return near.flatMap(text => numberOf(text) ?? []);
  });
}

function numberOf(text: string | undefined): string | null {
  const digits = text?.replace(/[.,]{1,3}$/, '');
  return digits && /^\d[\d.,/-]*$/.test(digits) ? digits.replaceAll(/[.,]/g, '') : null;
}

/** In the letters of file names: "смета" is "smeta", "Präsentation" is "prasentation". */
export function inLatin(word: string): string {
  return anyAscii(word.normalize('NFD').replaceAll(/\p{M}/gu, '')).toLowerCase();
}

/** The words of a file's name, without those that say nothing about its content. */
export function fileWords(name: string, code: string): string[] {
  const bare = fold(name, code).replace(/\.[a-z\d]{1,5}$/, '');
  // Cameras and programs name files in English, whatever is spoken.
  const lexicons = [lexiconOf(code), lexiconOf('en')];
  const isEmpty = (word: string) =>
    lexicons.some(({ fileWords: empty, calendar }) => empty.includes(word) || calendar.anyDay.test(word));
  return (bare.match(/\p{L}{3,30}/gu) ?? []).filter(word => !isEmpty(word));
}
