import questionWords from '../../../clients/summarizer/languages/questions.json' with { type: 'json' };
import { oncePer } from '../../../lib/once.ts';
import { splitSearchWords } from '../../digests/rules.ts';

/** Groups of word beginnings, across languages, each for one matter of business. */
const SAME_MATTER = questionWords.matters.map(splitSearchWords);

const MIN_STEM_LETTERS = 4;
const MAX_ENDING_LENGTH = 3;
const MIN_COMPOUND_LETTERS = 10;

/** 0 to 1: how well a word said matches the one wanted: the same, inflected, mistyped, or for the same matter. */
export function scoreWordLikeness(wanted: string, said: string): number {
  if (wanted === said) return 1;
  const shared = countSharedLetters(wanted, said);
  const [short = 0, long = 0] = [wanted.length - shared, said.length - shared].toSorted((a, b) => a - b);
  const isInflected =
    shared >= MIN_STEM_LETTERS ? short < MAX_ENDING_LENGTH && long <= MAX_ENDING_LENGTH : short === 0 && long === 1;
  if (shared >= MIN_SHARED_LETTERS && isInflected) return INFLECTED;
  // A compound matches its first part, if that is nearly whole, or its last: "Notartermin" is an appointment with a
  // notary, "Steuerklasse" a class.
  const isFirst = shared > MIN_STEM_LETTERS && said.length - shared < MAX_ENDING_LENGTH;
  const isPart =
    wanted.length >= MIN_COMPOUND_LETTERS && (isFirst || (said.length > MIN_STEM_LETTERS && wanted.endsWith(said)));
  return isPart || isMistyped(wanted, said) || areSameMatter(wanted, said) ? ALIKE : 0;
}

const MIN_SHARED_LETTERS = 3;
const INFLECTED = 0.9;
const ALIKE = 0.7;

export function countSharedLetters(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const LONG_ENOUGH_TO_SLIP = 5;

/** One letter omitted, added, changed or swapped, except the first. */
export function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LONG_ENOUGH_TO_SLIP || long.length - short.length > 1 || short[0] !== long[0]) return false;
  if (/\d/.test(one + other)) return false;
  const at = countSharedLetters(short, long);
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

const isOfMatter = (word: string, matter: readonly string[]) =>
  matter.some(beginning => (beginning.length < MIN_STEM_LETTERS ? word === beginning : word.startsWith(beginning)));

function areSameMatter(one: string, other: string): boolean {
  return SAME_MATTER.some(matter => isOfMatter(one, matter) && isOfMatter(other, matter));
}

const LOOSE_BEGINNING_LETTERS = 3;

/** The beginnings to search for words that may be mistyped or inflected, as their first letters are right. */
export function looseBeginnings(words: readonly string[]): string[][] {
  return words
    .filter(word => word.length > LOOSE_BEGINNING_LETTERS && !/\d/.test(word))
    .map(word => [word.slice(0, LOOSE_BEGINNING_LETTERS)]);
}

/** Above each of these lengths, one letter more of a word may be its ending. */
const CUT_ABOVE = [4, 5, 7];

/** The beginnings to search for a word: its own, less letters that endings change, and those of words on its topic. */
export function wordBeginnings(word: string): string[] {
  const cut = CUT_ABOVE.filter(length => word.length > length).length;
  const own = /\d/.test(word)
    ? word
    : word.slice(0, word.length >= MIN_COMPOUND_LETTERS ? MIN_STEM_LETTERS + 1 : word.length - cut);
  return [own, ...SAME_MATTER.filter(matter => isOfMatter(word, matter)).flat()];
}

/** Share of the question's words in a passage, weighted by rarity, and its own words that are like them. */
export type Coverage = { covered: number; hits: string[] };

export function createCoverageScorer(passages: readonly { words: string[] }[], questionTerms: readonly string[]) {
  const terms = questionTerms.map(word => {
    const likeness = oncePer((said: string) => scoreWordLikeness(word, said));
    const most = (words: readonly string[]) => Math.max(0, ...words.map(likeness));
    const having = passages.filter(({ words }) => most(words) > 0).length;
    return { likeness, most, weight: Math.log(1 + (passages.length + 10) / (1 + having)) };
  });
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  return (words: string[]): Coverage => {
    if (questionTerms.length === 0) return { covered: 1, hits: [] };
    const covered = terms.reduce((sum, { most, weight }) => sum + (weight * most(words)) / all, 0);
    return { covered, hits: words.filter(said => terms.some(({ likeness }) => likeness(said) > 0)) };
  };
}
