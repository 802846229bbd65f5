import { jaroWinkler } from '@skyra/jaro-winkler';
import type { Word } from './nameWords.ts';
import { areFormsOfOneName, isGivenName } from './nicknames.ts';
import { areRomanisations } from './romanisedNames.ts';

/**
 * How two words of names relate. `same`, `romanised` and `misspelled` are one name; the others aren't, or may not be:
 * Maria and Marina are `near`, and so are Novak and Novakova.
 */
export type WordRelation = 'same' | 'romanised' | 'misspelled' | 'nickname' | 'initial' | 'near' | 'other';

/** 0..1: what a word adds to the score of a name. */
export type WordComparison = { relation: WordRelation; score: number };

const SCORES = { same: 1, romanised: 0.96, misspelled: 0.93, nickname: 0.78, initial: 0.7 } as const;
/** The Jaro-Winkler score from which two words are alike; with names, endings fool it. */
const ALIKE = 0.9;
const NEAR_SHARE = 0.75;
const OTHER_SHARE = 0.4;
/** Shorter words differ by too little: Lin and Lyn, Wei and Vei. */
const LONG_ENOUGH = 5;
/** Carlo and Carol are two people, Fischer and Fiscehr are one. */
const LONG_ENOUGH_TO_SLIP = 6;

export function compareWords(a: Word, b: Word): WordComparison {
  const relation = relationOf(a, b);
  if (relation) return { relation, score: SCORES[relation] };
  const likeness = jaroWinkler(a.forms[0] ?? '', b.forms[0] ?? '');
  if (likeness >= ALIKE) return { relation: 'near', score: likeness * NEAR_SHARE };
  return { relation: 'other', score: likeness * OTHER_SHARE };
}

/** Whether the two are ways to write one name. */
export function isOneName({ relation }: WordComparison): boolean {
  return relation === 'same' || relation === 'romanised' || relation === 'misspelled';
}

function relationOf(a: Word, b: Word): keyof typeof SCORES | undefined {
  if (some(a, b, (x, y) => x === y)) return 'same';
  if (a.isInitial || b.isInitial) return some(a, b, (x, y) => x[0] === y[0]) ? 'initial' : undefined;
  if (isRomanised(a, b)) return 'romanised';
  if (some(a, b, isMisspelled)) return 'misspelled';
  if (some(a, b, areFormsOfOneName)) return 'nickname';
  return undefined;
}

function isRomanised(a: Word, b: Word): boolean {
  if (some(a, b, areRomanisations) || some(a, b, isUmlautSpelledOut)) return true;
  if (!a.keys.some(key => b.keys.includes(key))) return false;
  return !a.isLatin || !b.isLatin || some(a, b, (x, y) => Math.min(x.length, y.length) >= LONG_ENOUGH);
}

/** Muller beside Mueller: both are ways to write Müller without an ü. */
function isUmlautSpelledOut(x: string, y: string): boolean {
  const [short, long] = x.length < y.length ? [x, y] : [y, x];
  return short.length >= LONG_ENOUGH && long.replace(/([ou])e/g, '$1') === short;
}

/** Two neighbouring letters swapped inside a long word, which is a typo and not another name. */
function isMisspelled(x: string, y: string): boolean {
  if (x.length !== y.length || x.length < LONG_ENOUGH_TO_SLIP || (isGivenName(x) && isGivenName(y))) return false;
  const at = [...x].findIndex((letter, n) => letter !== y[n]);
  if (at < 1 || at + 2 >= x.length) return false;
  return x.slice(at, at + 2) === `${y[at + 1]}${y[at]}` && x.slice(at + 2) === y.slice(at + 2);
}

function some(a: Word, b: Word, holds: (x: string, y: string) => boolean): boolean {
  return a.forms.some(x => b.forms.some(y => holds(x, y)));
}
