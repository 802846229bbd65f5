import { nameKeys, type Sound, soundAlike, soundOf } from '../../../lib/nameKeys.ts';
import { splitSearchWords } from '../../digests/rules.ts';
import type { NamedBy } from './repo.ts';
import type { NamedDialog, People } from './schema.ts';
import { countSharedLetters, isMistyped } from './scoreWords.ts';

const MAX_DIALOGS = 20;
const MIN_LETTERS = 3;
/** Only the first words of a name are compared: some conversations have a whole text for a name. */
const MAX_NAME_WORDS = 12;

const SIGN = /^\p{Script=Han}$/u;
const mayName = (word: string) => ([...word].length >= MIN_LETTERS && !/\d/.test(word)) || SIGN.test(word);

/** Words that may name a conversation, and their beginnings, since even a mistyped name begins right. */
export function composeNameSearch(names: readonly string[]): NamedBy {
  const words = names.filter(mayName);
  return {
    words,
    beginnings: words.map(word => [...word].slice(0, MIN_LETTERS).join('')),
    // With and without possible endings; also joins two words, as in Chinese names.
    keys: words
      .flatMap((word, n) => [
        word,
        `${word}${words[n + 1] ?? ''}`,
        ...[1, 2].map(cut => word.slice(0, -cut)).filter(mayName),
      ])
      .flatMap(nameKeys),
  };
}

/** Conversations that a question names, in any alphabet, inflected or mistyped: those named by most of its words. */
export function findNamedDialogs(words: readonly string[], dialogs: readonly NamedDialog[]): People {
  const nameWords = words.filter(mayName);
  const dialogsWithNames = dialogs.map(dialog => ({
    ...dialog,
    own: splitSearchWords(dialog.names).slice(0, MAX_NAME_WORDS).filter(mayName),
  }));
  const names = new Map(dialogsWithNames.flatMap(({ own }) => own).map(name => [name, soundOf(name)]));
  const namesOf = new Map(nameWords.map(word => [word, namesAlike(word, names)]));
  const candidates = dialogsWithNames
    .map(dialog => ({ ...dialog, by: nameWords.filter(word => dialog.own.some(name => namesOf.get(word)?.has(name))) }))
    .filter(({ own, isPerson, by }) => by.length > (isPerson || own.length === 1 ? 0 : 1));
  // One that is named by fewer of the same words is left out: for "Claire Whitfield", Claire Martin.
  const isNamedBetter = (by: string[], other: string[]) =>
    other.length > by.length && by.every(word => other.includes(word));
  const kept = candidates.filter(({ by }) => !candidates.some(other => isNamedBetter(by, other.by)));
  return {
    wordsOf: new Map(kept.slice(0, MAX_DIALOGS).map(({ dialogId, by }) => [dialogId, by])),
    words: [...new Set(kept.flatMap(({ by }) => by))],
    namesOf,
  };
}

const LATIN = /^\p{Script=Latin}/u;

/** The names that a word may mean. If one is exactly the word, none that is similar in its alphabet: Toni, not Tony. */
function namesAlike(word: string, names: ReadonlyMap<string, Sound>): ReadonlySet<string> {
  const sound = soundOf(word);
  const isLatin = LATIN.test(word);
  const isExact = names.has(word);
  const isAlike = (name: string, nameSound: Sound) => {
    if (LATIN.test(name) !== isLatin) return soundAlike(sound, nameSound) || isSpelledNearly(sound, nameSound);
    return !isExact && (isSimilarName(word, name) || soundAlike(sound, nameSound));
  };
  return new Set([...names].flatMap(([name, nameSound]) => (name === word || isAlike(name, nameSound) ? [name] : [])));
}

/** Whether a word may be a name mistyped, or inflected as in Slavic languages: Ольгу and Ольги are Ольга, Тимуром is Тимур. */
export function isSimilarName(word: string, name: string): boolean {
  return (
    isMistyped(word, name) || (CYRILLIC.test(word) && CYRILLIC.test(name) && isInflected(word, name, MIN_SHARED_LETTERS))
  );
}

/** Фаридом is Farid, and Клэр is Claire: vowels have many spellings. */
function isSpelledNearly(word: Sound, name: Sound): boolean {
  if (word.spelled === '' || name.spelled === '') return false;
  const isSpelled = isInflected(word.spelled, name.spelled, MIN_SHARED_LETTERS + 1);
  return isSpelled || (word.consonants.length >= MIN_SHARED_LETTERS && word.consonants === name.consonants);
}

const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const MIN_SHARED_LETTERS = 3;

function isInflected(word: string, name: string, least: number): boolean {
  const shared = countSharedLetters(word, name);
  return shared >= least && name.length - shared <= 1 && word.length - shared <= 2;
}
