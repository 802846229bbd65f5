import { compareWords, isOneName, type WordRelation } from './compareWords.ts';
import type { Word } from './nameWords.ts';
import { isGivenName } from './nicknames.ts';
import { type FiledName, fullWords, type Reading } from './readings.ts';
import { soundsLike } from './soundings.ts';

export type NameRelation =
  | 'same'
  | 'otherAlphabet'
  | 'swapped'
  | 'spelled'
  | 'partly'
  | 'nickname'
  | 'near'
  | 'sounds'
  | 'differs';

export type NameComparison = {
  /** 0..1 */
  score: number;
  /** Whether the two are one name, first and last, with nothing that may belong to another person. */
  isOneName: boolean;
  relation: NameRelation;
};

const NOTHING: NameComparison = { score: 0, isOneName: false, relation: 'differs' };
/** As much as a nickname: worth a suggestion, and never one name. */
const SOUNDS: NameComparison = { score: 0.78, isOneName: false, relation: 'sounds' };

/** The share of the score that is left when something in the names differs although all compared words match. */
const FACTORS = {
  swapped: 0.99,
  joined: 0.98,
  particle: 0.92,
  middle: 0.94,
  generation: 0.93,
  part: 0.86,
  single: 0.6,
};
/** A patronymic is left out more often than written. */
const PATRONYMIC = /(ovich|evich|ovych|evych|ovna|evna|ivna)$/;

/** Compares word by word in both orders; the best way to lay the two names side by side counts. */
export function compareNames(reading: Reading, contact: FiledName): NameComparison {
  const ours = withoutGeneration(reading.words);
  const theirs = withoutGeneration(contact.words);
  if (ours.length === 0 || theirs.length === 0) return NOTHING;
  const givens = new Set(contact.words.slice(1, contact.given));
  const [ownBare, theirBare] = [bare(ours), bare(theirs)];
  const hasParticles = ownBare.length < ours.length || theirBare.length < theirs.length;
  const withoutThem = hasParticles ? layings(ownBare, theirBare, givens) : [];
  const found = [...layings(ours, theirs, givens), ...withoutThem.map(laying => times(laying, FACTORS.particle))];
  const best = found.reduce((top, laying) => (laying.score > top.score ? laying : top), NOTHING);
  const isHeard = best.score < SOUNDS.score && soundsLike(reading.soundings, contact.words);
  return isHeard ? SOUNDS : judged(best, reading, contact);
}

/** Whether a person with this name can be that contact: every word of the shorter name is in the longer one. */
export function namesAgree(reading: Reading, contact: FiledName): 'agree' | 'differ' | 'unknown' {
  if (areJoinedOne(reading.words, contact.words)) return 'agree';
  const [ours, theirs] = [fullOrAll(bare(reading.words)), fullOrAll(bare(contact.words))];
  if (ours.length === 0 || theirs.length === 0) return 'unknown';
  const [shorter, longer] = ours.length <= theirs.length ? [ours, [...theirs]] : [theirs, [...ours]];
  for (const word of shorter) {
    const at = longer.findIndex(other => isCompatible(word, other));
    if (at < 0) return 'differ';
    longer.splice(at, 1);
  }
  return 'agree';
}

function isCompatible(a: Word, b: Word): boolean {
  const compared = compareWords(a, b);
  return isOneName(compared) || compared.relation === 'nickname' || compared.relation === 'initial';
}

/** Initials count as words only where there is nothing else. */
function fullOrAll(words: readonly Word[]): readonly Word[] {
  const full = words.filter(word => !word.isInitial);
  return full.length > 0 ? full : words;
}

function bare(words: readonly Word[]): readonly Word[] {
  const left = words.filter(word => !word.isParticle);
  return left.length > 0 ? left : words;
}

function withoutGeneration(words: readonly Word[]): readonly Word[] {
  return words.filter((word, at) => at < 2 || !/^(jr|sr|ii|iii|iv|junior|senior)$/.test(word.text));
}

/** Jr and Sr are two people; Jr and no suffix may be one. At least two words of two or more letters are needed. */
function judged(best: NameComparison, reading: Reading, contact: FiledName): NameComparison {
  const enough = fullWords(reading).length >= 2 && best.relation !== 'differs';
  const factor = reading.generation === contact.generation ? 1 : FACTORS.generation;
  const isContradicted = reading.generation !== '' && contact.generation !== '' && factor !== 1;
  return { ...times(best, factor), isOneName: best.isOneName && enough && !isContradicted };
}

function layings(a: readonly Word[], b: readonly Word[], givens: ReadonlySet<Word>): NameComparison[] {
  if (Math.min(a.length, b.length) === 1) {
    return areJoinedOne(a, b) ? [oneName('spelled', FACTORS.joined)] : [single(a, b)];
  }
  const straight = laid(a, b, givens);
  if (straight.some(({ score }) => score === 1)) return straight;
  const turns = Array.from({ length: a.length - 1 }, (_, at) => rotated(a, at + 1));
  return [...straight, ...turns.flatMap(turned => laid(turned, b, givens).map(swapped))];
}

function laid(a: readonly Word[], b: readonly Word[], givens: ReadonlySet<Word>): NameComparison[] {
  const word = a.length === b.length ? sideBySide(a, b) : withLeftOut(a, b, givens);
  return joined(a) === joined(b) ? [word, oneName('spelled', FACTORS.joined)] : [word];
}

function oneName(relation: NameRelation, score: number): NameComparison {
  return { relation, score, isOneName: true };
}

function swapped(laying: NameComparison): NameComparison {
  const relation = laying.relation === 'same' ? 'swapped' : laying.relation;
  return { ...times(laying, FACTORS.swapped), relation };
}

function single(a: readonly Word[], b: readonly Word[]): NameComparison {
  const compared = a.flatMap(x => b.map(y => compareWords(x, y)));
  const best = compared.reduce((top, one) => (one.score > top.score ? one : top));
  const isSomething = isOneName(best) || best.relation === 'nickname';
  const factor = a.length === b.length ? FACTORS.part : FACTORS.single;
  return { score: best.score * factor, isOneName: false, relation: isSomething ? 'partly' : 'differs' };
}

function sideBySide(a: readonly Word[], b: readonly Word[]): NameComparison {
  const compared = a.map((word, at) => compareWords(word, b[at] ?? word));
  const scores = compared.map(({ score }) => score);
  const [mean, least] = [scores.reduce((sum, score) => sum + score, 0) / scores.length, Math.min(...scores)];
  const relations = new Set(compared.map(({ relation }) => relation));
  const isOne = compared.every(isOneName);
  const isForeign = a.some((word, at) => word.isLatin !== b[at]?.isLatin);
  return { score: (mean + least) / 2, isOneName: isOne, relation: inOneWord(relations, isForeign) };
}

function inOneWord(relations: ReadonlySet<WordRelation>, isForeign: boolean): NameRelation {
  if (relations.has('other')) return 'differs';
  if (relations.has('near')) return 'near';
  if (relations.has('initial')) return 'partly';
  if (relations.has('nickname')) return 'nickname';
  if (isForeign) return 'otherAlphabet';
  return relations.has('romanised') || relations.has('misspelled') ? 'spelled' : 'same';
}

/** One name has more words. What is left out decides: an initial or a middle name is harmless, a family name is not. */
function withLeftOut(a: readonly Word[], b: readonly Word[], givens: ReadonlySet<Word>): NameComparison {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const found = choices(longer, shorter.length).map(kept => {
    const left = longer.filter(word => !kept.includes(word));
    const inMiddle = kept[0] === longer[0] && kept.at(-1) === longer.at(-1);
    const isHarmless = inMiddle && left.every(word => mayBeLeftOut(word, givens));
    const laid = sideBySide(shorter, kept);
    const relation = laid.relation === 'same' ? 'partly' : laid.relation;
    const factor = isHarmless ? FACTORS.middle : FACTORS.part;
    return { ...times(laid, factor), relation, isOneName: laid.isOneName && isHarmless };
  });
  return found.reduce((top, laying) => (laying.score > top.score ? laying : top), NOTHING);
}

function mayBeLeftOut(word: Word, givens: ReadonlySet<Word>): boolean {
  if (word.isJoined) return false;
  return word.isInitial || givens.has(word) || word.forms.some(form => PATRONYMIC.test(form) || isGivenName(form));
}

/** All ways to keep `count` of the words, in their order. */
function choices(words: readonly Word[], count: number): Word[][] {
  if (count === 0) return [[]];
  return words.flatMap((word, at) => choices(words.slice(at + 1), count - 1).map(rest => [word, ...rest]));
}

function rotated(words: readonly Word[], by: number): readonly Word[] {
  return [...words.slice(by), ...words.slice(0, by)];
}

/** Vandenberg and van den Berg, 王伟 and 伟 王. */
function areJoinedOne(a: readonly Word[], b: readonly Word[]): boolean {
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  return fewer.length > 0 && more.some((_, turn) => joined(rotated(more, turn)) === joined(fewer));
}

function joined(words: readonly Word[]): string {
  return words.map(word => word.forms[0] ?? '').join('');
}

function times(laying: NameComparison, factor: number): NameComparison {
  return { ...laying, score: laying.score * factor };
}
