import { findWhen } from '../../../clients/summarizer/days/findWhen.ts';
import { nameKeys, type Sound, soundAlike, soundOf } from '../../../lib/nameKeys.ts';
import { wordsIn } from '../../digests/rules.ts';
import type { Passage, Ranked } from './passagesOf.ts';
import { FIGURE, without } from './pickRows.ts';
import type { NamedBy } from './repo.ts';
import { isMistyped, likenessOf, sharedBeginning } from './rules.ts';
import type { Named, People, Question } from './schema.ts';

/** What a passage must have of what was asked about, by the weight of the words, to be offered as an answer. */
const ENOUGH = 0.4;
/** What the rest of its day says counts for less than the passage itself. */
const BESIDE = 0.6;
/** At least one word of this weight must be in the passage itself. */
const LEAST_OWN = 0.25;
const GOOD = 0.45;
const ALL = 0.85;

/** The passages that answer a question, the best first; none where nothing does. */
export function rankPassages(passages: readonly Passage[], question: Question, people: People): Ranked[] {
  const speakers = speakersOf(passages);
  const isPerson = (word: string) => people.words.includes(word) || speakers.has(word);
  const named = question.words.filter(isPerson);
  const asked = question.words.filter(word => !isPerson(word));
  const read = passages
    .filter(passage => isIn(passage, question))
    .map(passage => ({ passage, words: wordsOf(passage) }));
  const likeness = new Map(asked.map(word => [word, memoized(said => likenessOf(word, said))]));
  const weights = new Map(asked.map(word => [word, weightOf(read, likeness.get(word))]));
  const isNamed = new Map(
    named.map(word => [
      word,
      memoized(said => said === word || people.namesOf.get(word)?.has(said) || isNearly(word, said)),
    ]),
  );
  const isTold = (word: string, { dialogId }: Passage, said: readonly string[]) =>
    people.wordsOf.get(dialogId)?.includes(word) || said.some(one => isNamed.get(word)?.(one));
  const judge = ({ passage, words }: { passage: Passage; words: Words }): Ranked => {
    const { covered, own, beside, hits } = coverageOf(asked, words, likeness, weights);
    const isAbout = named.every(word => isTold(word, passage, words.own));
    if (!isAbout || covered < ENOUGH) return { ...passage, score: 0, hits };
    const bonus = bonusOf(passage, question);
    // The matter is named before, and here is the day or the number.
    const isOnMatter = own >= LEAST_OWN || (beside >= ALL && question.fact !== 'any' && bonus >= FITS);
    // What is only of the same matter says how much by a number alone.
    if (question.fact === 'howMuch' && bonus < FITS && (asked.length === 0 || own < ALL))
      return { ...passage, score: 0, hits };
    const score = isOnMatter ? covered + 0.3 * own + bonus : 0;
    return { ...passage, score, hits };
  };
  const ranked = read
    .map(judge)
    .filter(({ score }) => score > 0)
    .toSorted(
      (one, other) =>
        other.score - one.score || Number(!one.digest) - Number(!other.digest) || other.day.localeCompare(one.day),
    );
  const best = ranked[0]?.score ?? 0;
  return distinct(ranked.filter(({ score }) => score >= GOOD * best));
}

/** Who says something in a group is named like those whom a conversation is with: a name is no matter. */
function speakersOf(passages: readonly Passage[]): ReadonlySet<string> {
  const names = new Set(passages.flatMap(({ lines }) => lines.flatMap(line => SPEAKER.exec(line)?.[1] ?? [])));
  return new Set([...names].flatMap(wordsIn));
}

const SPEAKER = /^(?:↳ )?([^:]{2,30}): /;

type Words = { own: string[]; beside: string[] };
const besideOf = new WeakMap<object, string[]>();

function wordsOf({ lines, digest, promise }: Passage): Words {
  const own = [...new Set(wordsIn(lines.join(' ')))];
  const { peerName = '' } = promise ?? digest?.dialog ?? {};
  if (!digest) return { own, beside: wordsIn(`${peerName} ${promise?.who ?? ''}`) };
  const beside = besideOf.get(digest) ?? [
    ...new Set(wordsIn(`${peerName} ${digest.structured.topics.join(' ')} ${digest.summary}`)),
  ];
  besideOf.set(digest, beside);
  return { own, beside };
}

function memoized<T>(judge: (said: string) => T): (said: string) => T {
  const known = new Map<string, T>();
  return said => {
    const before = known.get(said);
    if (before !== undefined) return before;
    const value = judge(said);
    known.set(said, value);
    return value;
  };
}

type Likeness = (said: string) => number;
const most = (words: readonly string[], likeness: Likeness) => Math.max(0, ...words.map(likeness));

/** A word that few passages have says more. One that none has weighs the most: then nothing answers the question. */
function weightOf(read: readonly { words: Words }[], likeness: Likeness | undefined): number {
  if (!likeness) return 0;
  const having = read.filter(({ words }) => most(words.own, likeness) > 0).length;
  return Math.log(1 + (read.length + 10) / (1 + having));
}

function coverageOf(
  asked: readonly string[],
  words: Words,
  likeness: ReadonlyMap<string, Likeness>,
  weights: ReadonlyMap<string, number>,
): { covered: number; own: number; beside: number; hits: string[] } {
  if (asked.length === 0) return { covered: 1, own: 1, beside: 1, hits: [] };
  const sum = { all: 0, covered: 0, own: 0, beside: 0 };
  const hits = new Set<string>();
  for (const word of asked) {
    const weight = weights.get(word) ?? 0;
    const like = likeness.get(word) ?? (() => 0);
    const inPassage = most(words.own, like);
    sum.all += weight;
    sum.own += weight * inPassage;
    const inDay = Math.max(inPassage, most(words.beside, like));
    sum.beside += weight * inDay;
    sum.covered += weight * Math.max(inPassage, BESIDE * inDay);
    if (inPassage > 0) for (const said of words.own) if (like(said) === inPassage) hits.add(said);
  }
  return { covered: sum.covered / sum.all, own: sum.own / sum.all, beside: sum.beside / sum.all, hits: [...hits] };
}

/** What was said on these days, or is due on them. */
function isIn({ day, promise }: Passage, { days }: Question): boolean {
  const within = (one: string) => !days || (one >= days.since && one <= days.until);
  return !days?.isSure || within(day) || (promise?.dueDate != null && within(promise.dueDate));
}

const FITS = 0.25;

/** For having the day or the number that was asked for. */
function bonusOf(passage: Passage, question: Question): number {
  const { fact } = question;
  if (fact === 'when') return passage.promise?.dueDate || saysWhen(passage) ? FITS : 0;
  const { said, lines } = passage;
  const text = without(said.length > 0 ? said.map(one => one.words).join(' ') : lines.join(' '), question);
  if (fact === 'any' || !/\p{Nd}/u.test(text)) return 0;
  return FITS + (FIGURE.test(text) ? 0.15 : 0);
}

/** A day or an hour, as a line of the day's language names them. */
function saysWhen({ said, digest }: Passage): boolean {
  const language = digest?.structured.language ?? 'und';
  return said.some(({ words, at }) => HOUR.test(words) || findWhen(words, language, at, 'UTC') !== null);
}

const HOUR = /(?<![\d.,])(?:[01]?\d|2[0-3])(?:[:.][0-5]\d|\s?(?:h|am|pm|uhr))(?![\d\p{L}])/iu;

/** What rests on the same messages is said once. */
export function distinct(ranked: readonly Ranked[]): Ranked[] {
  const said = new Set<string>();
  return ranked.filter(({ dialogId, messageIds, lines }) => {
    const keys = [lines.join(' '), ...messageIds].map(key => `${dialogId} ${key}`);
    const isNew = !keys.some(key => said.has(key));
    for (const key of keys) said.add(key);
    return isNew;
  });
}

const MOST_DIALOGS = 20;
const LEAST_LETTERS = 3;
/** More words than a name has: what calls itself by a whole text is found by its beginning. */
const MOST_WORDS = 12;

const SIGN = /^\p{Script=Han}$/u;
const mayName = (word: string) => ([...word].length >= LEAST_LETTERS && !/\d/.test(word)) || SIGN.test(word);

/** What conversations that these words may name are looked up by; a mistyped name begins right. */
export function namedBy(asked: readonly string[]): NamedBy {
  const words = asked.filter(mayName);
  return {
    words,
    beginnings: words.map(word => [...word].slice(0, LEAST_LETTERS).join('')),
    // With and without what may be an ending, and two words as one, as names in Chinese are written.
    keys: words
      .flatMap((word, n) => [
        word,
        `${word}${words[n + 1] ?? ''}`,
        ...[1, 2].map(cut => word.slice(0, -cut)).filter(mayName),
      ])
      .flatMap(nameKeys),
  };
}

/**
 * The conversations that a question names: in any alphabet, inflected or mistyped. Those that are named by most of the
 * words count, such as by first and last name.
 */
export function findPeople(words: readonly string[], known: readonly Named[]): People {
  const asked = words.filter(mayName);
  const read = known.map(one => ({ ...one, own: wordsIn(one.names).slice(0, MOST_WORDS).filter(mayName) }));
  const names = new Map(read.flatMap(({ own }) => own).map(name => [name, soundOf(name)]));
  const namesOf = new Map(asked.map(word => [word, namesAlike(word, names)]));
  const found = read.flatMap(({ dialogId, own, isPerson }) => {
    const by = asked.filter(word => own.some(name => namesOf.get(word)?.has(name)));
    return by.length > 0 && (isPerson || by.length > 1 || own.length === 1) ? [{ dialogId, by }] : [];
  });
  const most = new Map(
    asked.map(word => [word, Math.max(0, ...found.filter(({ by }) => by.includes(word)).map(({ by }) => by.length))]),
  );
  const kept = found.filter(({ by }) => by.some(word => by.length === most.get(word)));
  return {
    wordsOf: new Map(kept.slice(0, MOST_DIALOGS).map(({ dialogId, by }) => [dialogId, by])),
    words: [...new Set(kept.flatMap(({ by }) => by))],
    namesOf,
  };
}

const LATIN = /^\p{Script=Latin}/u;

/** Who is called just so is meant, and not who is called alike in the same alphabet: Toni and not Tony. */
function namesAlike(word: string, names: ReadonlyMap<string, Sound>): ReadonlySet<string> {
  const sound = soundOf(word);
  const isLatin = LATIN.test(word);
  const isExact = names.has(word);
  const isAlike = (name: string, its: Sound) => {
    if (LATIN.test(name) !== isLatin) return soundAlike(sound, its) || isSpelledNearly(sound, its);
    return !isExact && (isNearly(word, name) || soundAlike(sound, its));
  };
  return new Set([...names].flatMap(([name, its]) => (name === word || isAlike(name, its) ? [name] : [])));
}

/** Whether a word may be a name inflected, or mistyped. */
function isNearly(word: string, name: string): boolean {
  return isInflected(word, name) || isMistyped(word, name);
}

/** Фаридом is Farid, and Клэр is Claire: what is between consonants is written in many ways. */
function isSpelledNearly(word: Sound, name: Sound): boolean {
  if (word.spelled === '' || name.spelled === '') return false;
  const shared = sharedBeginning(word.spelled, name.spelled);
  if (shared >= LEAST_SHARED_SOUND && name.spelled.length - shared <= 1 && word.spelled.length - shared <= 2)
    return true;
  return word.consonants.length >= LEAST_SHARED && word.consonants === name.consonants;
}

const LEAST_SHARED_SOUND = 4;
const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const LEAST_SHARED = 3;

/** Names are inflected in Slavic languages: Ольгу and Ольги are Ольга, Тимуром is Тимур. */
function isInflected(word: string, name: string): boolean {
  if (!CYRILLIC.test(word) || !CYRILLIC.test(name)) return false;
  const shared = sharedBeginning(word, name);
  return shared >= LEAST_SHARED && name.length - shared <= 1 && word.length - shared <= 2;
}
