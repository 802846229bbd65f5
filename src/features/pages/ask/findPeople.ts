import { compareWords, isOneName } from '../../../lib/names/compareNames.ts';
import { type Word, wordsOf } from '../../../lib/names/readings.ts';
import { consonantsOf, plain } from '../../../lib/names/romanise.ts';
import { wordsIn } from '../../digests/search/rules.ts';
import { isMistyped } from './rules.ts';
import type { Named, People } from './schema.ts';

const MOST_DIALOGS = 20;
const LEAST_LETTERS = 3;

/**
 * The conversations that a question names, as the matching reads names: in any alphabet, romanised one way or another,
 * inflected or mistyped. Those that are named by most of the words count, such as by first and last name.
 */
export function findPeople(words: readonly string[], known: readonly Named[]): People {
  const asked = words.filter(word => [...word].length >= LEAST_LETTERS && !/\d/.test(word));
  const namesOf = known.map(({ names }) => wordsIn(names));
  const isNamedBy = new Map(asked.map(word => [word, nearestOf(word, namesOf)]));
  const found = known.flatMap(({ dialogId, names, isPerson }) => {
    const own = wordsIn(names).filter(name => [...name].length >= LEAST_LETTERS);
    const by = asked.filter(word => own.some(name => isNamedBy.get(word)?.(name)));
    return by.length > 0 && (isPerson || by.length > 1 || own.length === 1) ? [{ dialogId, by }] : [];
  });
  const most = new Map(
    asked.map(word => [word, Math.max(0, ...found.filter(({ by }) => by.includes(word)).map(({ by }) => by.length))]),
  );
  const kept = found.filter(({ by }) => by.some(word => by.length === most.get(word)));
  return {
    wordsOf: new Map(kept.slice(0, MOST_DIALOGS).map(({ dialogId, by }) => [dialogId, by])),
    words: [...new Set(kept.flatMap(({ by }) => by))],
  };
}

/** Who is called just so is meant, and not who is called alike in the same alphabet: Toni and not Tony. */
function nearestOf(word: string, known: readonly string[][]): (name: string) => boolean {
  const isLike = matcherOf(word);
  if (!known.some(names => names.includes(word))) return isLike;
  const isLatin = LATIN.test(word);
  return name => name === word || (LATIN.test(name) !== isLatin && isLike(name));
}

const LATIN = /^\p{Script=Latin}/u;

/** Whether a folded word may be this name, each name looked at once. */
export function matcherOf(word: string): (name: string) => boolean {
  const [read] = wordsOf([word]);
  const beginnings = new Set(read?.forms.map(form => form[0]));
  const known = new Map<string, boolean>();
  return name => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const is = name === word || isInflected(word, name) || (read !== undefined && isSame(read, beginnings, name));
    known.set(name, is);
    return is;
  };
}

function isSame(read: Word, beginnings: ReadonlySet<string | undefined>, name: string): boolean {
  const other = readName(name);
  if (!other?.forms.some(form => beginnings.has(form[0])) && read.isLatin === other?.isLatin) return false;
  if (!other) return false;
  const compared = compareWords(read, other);
  if (isOneName(compared)) return true;
  return read.forms.some(one => other.forms.some(form => isMistyped(one, form))) || soundsLike(read, name);
}

const LEAST_CONSONANTS = 3;

/** Of scripts that don't tell how a name sounds: as a library spells it, or by its consonants. */
function soundsLike({ forms, isLatin }: Word, name: string): boolean {
  if (!isLatin || LATIN.test(name)) return false;
  const consonants = consonantsOf(name);
  return forms.some(
    form => form === plain(name) || (consonants.length >= LEAST_CONSONANTS && consonantsOf(form) === consonants),
  );
}

const MOST_KNOWN = 20_000;
const readNames = new Map<string, Word | undefined>();

/** Romanising a name costs more than finding it again. */
function readName(name: string): Word | undefined {
  if (readNames.has(name)) return readNames.get(name);
  if (readNames.size >= MOST_KNOWN) readNames.clear();
  const [word] = wordsOf([name]);
  readNames.set(name, word);
  return word;
}

const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const LEAST_SHARED = 3;

/** Names are inflected in Slavic languages: Ольгу and Ольги are Ольга, Тимуром is Тимур. */
function isInflected(word: string, name: string): boolean {
  if (!CYRILLIC.test(word) || !CYRILLIC.test(name)) return false;
  let shared = 0;
  while (shared < name.length && word[shared] === name[shared]) shared += 1;
  return shared >= LEAST_SHARED && name.length - shared <= 1 && word.length - shared <= 2;
}
