import { jaroWinkler } from '@skyra/jaro-winkler';
import { soundAcross } from '../nameKeys.ts';
import { isGivenName, listVariants } from './givenNames.ts';
import { PATRONYMIC } from './personName.ts';
import type { FiledName, Reading, Word } from './readings.ts';

export type NameRelation = 'same' | 'otherAlphabet' | 'swapped' | 'spelled' | 'partly' | 'near' | 'sounds' | 'differs';

export type NameComparison = {
  /** 0..1 */
  score: number;
  /** Whether the two are one name, first and last, with nothing that may belong to another person. */
  isOneName: boolean;
  relation: NameRelation;
};

/** `same` and `romanised` are one name; others may not be: Maria and Marina are `near`, and so are Novak and Novakova. */
type WordRelation = 'same' | 'romanised' | 'initial' | 'sounds' | 'near' | 'other';
type WordComparison = { relation: WordRelation; score: number };

/** Words are near from this Jaro-Winkler score on. Near and other words keep a share of it: endings raise it too easily. */
const [ALIKE, NEAR_SHARE, OTHER_SHARE] = [0.9, 0.75, 0.4];
/** Shorter words differ by too little: Lin and Lyn, Wei and Vei. */
const LONG_ENOUGH = 5;

/** A single Han character may be a whole name. */
const HAN = /^\p{Script=Han}/u;
const NO_MATCH: NameComparison = { score: 0, isOneName: false, relation: 'differs' };
const JOINED_MATCH: NameComparison = { score: 0.98, isOneName: true, relation: 'spelled' };
/** The share of the score that is left when something in the names differs although all compared words match. */
const FACTORS = { swapped: 0.99, particle: 0.92, middle: 0.94, generation: 0.93, part: 0.86, single: 0.6, guess: 0.8 };

/** Compares word by word, in any order of first and last name, with and without particles: the better way counts. */
export function compareNames(reading: Reading, contact: FiledName): NameComparison {
  const [ours, theirs] = [reading.words, contact.words];
  if (ours.length === 0 || theirs.length === 0) return NO_MATCH;
  if (ours.length !== theirs.length && areSameJoined(ours, theirs)) return adjustToReading(JOINED_MATCH, reading, contact);
  const middleNames = new Set(contact.words.slice(1, contact.given));
  const whole = alignWords(ours, theirs, middleNames);
  const withoutParticles = scaleScore(alignWords(dropParticles(ours), dropParticles(theirs), middleNames), FACTORS.particle);
  return adjustToReading(withoutParticles.score > whole.score ? withoutParticles : whole, reading, contact);
}

/** Jr and Sr are two people; Jr and no suffix may be one. At least two words of two or more letters are needed. */
function adjustToReading(best: NameComparison, reading: Reading, contact: FiledName): NameComparison {
  if (reading.isGuess) {
    const isNone = best.relation === 'differs' || best.relation === 'near';
    return isNone ? NO_MATCH : { score: best.score * FACTORS.guess, relation: 'sounds', isOneName: false };
  }
  const isFull = ({ text, isParticle }: Word, at: number) =>
    (text.length > 1 || HAN.test(text)) && (!isParticle || (at === 0 && text === 'ben'));
  const [ours, theirs] = [reading.generation, contact.generation];
  const isContradicted = ours !== '' && theirs !== '' && ours !== theirs;
  const isOne = best.isOneName && reading.words.filter(isFull).length > 1 && !isContradicted;
  return { ...scaleScore(best, ours === theirs ? 1 : FACTORS.generation), isOneName: isOne };
}

/** Lays the words of the shorter name beside those of the longer one that are most like them. */
function alignWords(ours: readonly Word[], theirs: readonly Word[], middleNames: ReadonlySet<Word>): NameComparison {
  const [shorter, longer] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours];
  const pairs: (WordComparison & { at: number })[] = [];
  for (const word of shorter) {
    const free = longer.map((other, at) => ({ at, ...compareWords(word, other) }));
    const left = free.filter(({ at }) => !pairs.some(pair => pair.at === at));
    pairs.push(left.reduce((best, one) => (one.score > best.score ? one : best)));
  }
  const scores = pairs.map(({ score }) => score);
  const score = (scores.reduce((sum, one) => sum + one, 0) / scores.length + Math.min(...scores)) / 2;
  const isOne = pairs.every(isOneName);
  if (shorter.length === 1) {
    const factor = longer.length === 1 ? FACTORS.part : FACTORS.single;
    return { score: score * factor, isOneName: false, relation: isOne ? 'partly' : 'differs' };
  }
  // The words that one name leaves out decide: an initial, a middle name or a patronymic is harmless, a family name is not.
  const isMiddleName = (word: Word, at: number) =>
    longer === theirs ? middleNames.has(word) : at > 0 && at < longer.length - 1 && word.forms.some(isGivenName);
  const leftOut = longer.map((word, at) => ({ word, at })).filter(({ at }) => !pairs.some(pair => pair.at === at));
  const isHarmless = leftOut.every(({ word, at }) => mayBeLeftOut(word, isMiddleName(word, at)));
  const turns = pairs.filter(({ at }, n) => at < (pairs[n - 1]?.at ?? 0)).length;
  const isForeign = shorter.some((word, n) => word.isLatin !== longer[pairs[n]?.at ?? 0]?.isLatin);
  let relation = combineRelations(new Set(pairs.map(pair => pair.relation)), isForeign);
  if (relation === 'same' && leftOut.length > 0) relation = 'partly';
  else if (relation === 'same' && turns > 0) relation = 'swapped';
  const shorterFactor = isHarmless ? FACTORS.middle : FACTORS.part;
  const factor = (leftOut.length > 0 ? shorterFactor : 1) * (turns > 0 ? FACTORS.swapped : 1);
  return { score: score * factor, isOneName: isOne && isHarmless && turns < 2, relation };
}

function mayBeLeftOut(word: Word, isMiddleName: boolean): boolean {
  return !word.isJoinedByHyphen && (word.isInitial || isMiddleName || word.forms.some(form => PATRONYMIC.test(form)));
}

function combineRelations(relations: ReadonlySet<WordRelation>, isForeign: boolean): NameRelation {
  if (relations.has('other')) return 'differs';
  if (relations.has('near')) return 'near';
  if (relations.has('sounds')) return 'sounds';
  if (relations.has('initial')) return 'partly';
  if (isForeign) return 'otherAlphabet';
  return relations.has('romanised') ? 'spelled' : 'same';
}

function scaleScore(comparison: NameComparison, factor: number): NameComparison {
  return { ...comparison, score: comparison.score * factor };
}

/** Vandenberg and van den Berg, 王伟 and 伟 王. */
function areSameJoined(a: readonly Word[], b: readonly Word[]): boolean {
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  const joined = (words: readonly Word[]) => words.map(({ forms }) => forms[0]).join('');
  return more.some((_, turn) => joined([...more.slice(turn), ...more.slice(0, turn)]) === joined(fewer));
}

function dropParticles(words: readonly Word[]): readonly Word[] {
  const left = words.filter(word => !word.isParticle);
  return left.length > 0 ? left : words;
}

/** How alike two words of names are, from 0 to 1, and by what: letters, an initial, another alphabet, or their sound. */
export function compareWords(a: Word, b: Word): WordComparison {
  if (matchesAnyForm(a, b, (x, y) => x === y)) return { relation: 'same', score: 1 };
  if ((a.isInitial || b.isInitial) && matchesAnyForm(a, b, (x, y) => x[0] === y[0]))
    return { relation: 'initial', score: 0.7 };
  if (isRomanised(a, b)) return { relation: 'romanised', score: 0.96 };
  if (soundAcross(a.text, b.text)) return { relation: 'sounds', score: 0.8 };
  const likeness = jaroWinkler(a.forms[0] ?? '', b.forms[0] ?? '');
  return likeness < ALIKE
    ? { relation: 'other', score: likeness * OTHER_SHARE }
    : { relation: 'near', score: likeness * NEAR_SHARE };
}

/** Whether the two are ways to write one name. */
export const isOneName = ({ relation }: WordComparison): boolean => relation === 'same' || relation === 'romanised';

function isRomanised(a: Word, b: Word): boolean {
  const shared = a.keys.filter(key => b.keys.includes(key));
  if (shared.length === 0 || !a.isLatin || !b.isLatin) return shared.length > 0;
  return (
    shared.some(key => listVariants(key).length > 0) ||
    matchesAnyForm(a, b, (x, y) => Math.min(x.length, y.length) >= LONG_ENOUGH)
  );
}

function matchesAnyForm(a: Word, b: Word, holds: (x: string, y: string) => boolean): boolean {
  return a.forms.some(x => b.forms.some(y => holds(x, y)));
}
