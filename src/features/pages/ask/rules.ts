import { ara, deu, ell, eng, fra, heb, ita, pol, por, rus, spa, tur, ukr } from 'stopword';
import { daysCountedIn, daysTypedIn } from '../../../clients/summarizer/days/calendar.ts';
import { findWhen } from '../../../clients/summarizer/days/findWhen.ts';
import { dayNames, plain } from '../../../clients/summarizer/days/names.ts';
import said from '../../../clients/summarizer/languages/questions.json' with { type: 'json' };
import { dayAfter, dayBefore, mondayOf, sundayOf } from '../../../lib/timezones.ts';
import { wordsIn } from '../../digests/rules.ts';
import type { Days, Kind, Question } from './schema.ts';

/*
 * How a question is understood, by what people ask with (`languages/questions.json`). `ask`: words that say nothing about
 * a matter. Concepts are named by words of all languages, but for "I", which is a common word of others: `_` joins words
 * that follow each other, `*` is any ending.
 */

const STOPWORDS: Record<string, string[]> = {
  ...{ ar: ara, de: deu, el: ell, en: eng, fr: fra, he: heb, it: ita },
  ...{ pl: pol, pt: por, ru: rus, es: spa, tr: tur, uk: ukr },
};

type Concept = keyof typeof said.concepts | 'i';
type Term = { words: string[]; isBeginning: boolean };

const termsOf = (typed: string): Term[] =>
  typed
    .split(' ')
    .filter(Boolean)
    .map(term => ({ words: wordsIn(term), isBeginning: term.endsWith('*') }));

const CONCEPTS = new Map(Object.entries(said.concepts).map(([name, typed]) => [name, termsOf(typed)]));

function wordAmong(typed: string): (word: string) => boolean {
  const terms = termsOf(typed);
  const whole = new Set(terms.flatMap(({ words, isBeginning }) => (isBeginning ? [] : words)));
  const beginnings = terms.flatMap(({ words, isBeginning }) => (isBeginning ? words : []));
  return word => whole.has(word) || beginnings.some(beginning => word.startsWith(beginning));
}

const LANGUAGES = Object.entries<{ ask: string; i?: string }>(said.languages).map(([code, { ask, i = '' }]) => ({
  code,
  i: termsOf(i),
  isAsking: wordAmong(ask),
  isEmpty: wordAmong(`${ask} ${i.replaceAll('_', ' ')} ${(STOPWORDS[code] ?? []).join(' ')}`),
}));
type Language = (typeof LANGUAGES)[number];

/** The words of a question that name a concept. */
function naming(concept: Concept, words: readonly string[], { i }: Language): string[] {
  const terms = concept === 'i' ? i : (CONCEPTS.get(concept) ?? []);
  return terms.flatMap(({ words: [first = '', ...others], isBeginning }) => {
    const isLast = others.length === 0;
    return words.flatMap((word, at) => {
      const isFirst = isLast && isBeginning ? word.startsWith(first) : word === first;
      const isAll = others.every((other, n) =>
        isBeginning && n === others.length - 1 ? words[at + n + 1]?.startsWith(other) : words[at + n + 1] === other,
      );
      return isFirst && isAll ? words.slice(at, at + others.length + 1) : [];
    });
  });
}

/**
 * What makes a question one of its kind: all of these concepts, and none behind a `!`. The first that fits counts. Their
 * words are no matter of the question, but those behind a `~` are.
 */
const KINDS: readonly (readonly [Exclude<Kind, 'agenda' | 'price'>, string])[] = [
  ['unanswered', 'wait i !my !when'],
  ['waiting', 'wait me'],
  ['waiting', 'wait my'],
  ['waiting', 'answer i !me'],
  ['waiting', 'answer whom !me'],
  ['unanswered', 'answer me not'],
  ['unanswered', 'answer me who'],
  ['unanswered', 'answer not who'],
  ['threat', 'threat'],
  ['threat', 'leave who'],
  ['theirs', 'owe me !i'],
  ['mine', 'owe i'],
  ['mine', 'owe whom'],
  ['mine', 'promise i'],
  ['mine', 'fromMe'],
  ['theirs', 'promise'],
  ['theirs', 'get i'],
  ['meeting', 'when meet'],
  ['meeting', 'next meet'],
  ['mine', 'must i'],
  ['mine', 'give i'],
  ['theirs', '~give me !i'],
  ['theirs', '~pay me !i'],
  ['offer', 'offer !when'],
];

/** Of "Emre'nin", "Claire’s" and "d'Amélie" the name. */
const ENDING = /(?<=\p{L}{3})['’]\p{L}{1,4}(?!\p{L})/gu;

/** Takes a question apart. @param today the user's present day, YYYY-MM-DD */
export function readQuestion(typed: string, today: string): Question {
  const words = wordsIn(typed.replaceAll(ENDING, ''));
  const language = languageOf(words);
  const has = (concept: Concept) => naming(concept, words, language).length > 0;
  const { kind, cue } = kindOf(words, language);
  const isToCome = kind === undefined && !has('past');
  const read = readDays(typed, { language: language.code, today, isToCome: isToCome || kind === 'meeting' });
  const rest = words.filter(word => !read?.said.includes(word));
  const matters = mattersOf(rest, language);
  const isAgenda = kind === undefined && read?.isAhead && matters.length === 0 && isToCome;
  return {
    ...{ typed, language: language.code, cue, days: read?.days, isByUser: has('i') },
    words: kind === 'meeting' ? matters : matters.filter(word => !cue.includes(word)),
    kind: isAgenda ? 'agenda' : kind,
    fact: has('when') ? 'when' : has('howMuch') ? 'howMuch' : 'any',
    direction: kind === 'mine' || kind === 'theirs' ? kind : undefined,
  };
}

function kindOf(words: readonly string[], language: Language): Pick<Question, 'kind' | 'cue'> {
  for (const [kind, concepts] of KINDS) {
    const named = concepts.split(' ').map(one => {
      const found = naming(one.replace(/^[!~]/, '') as Concept, words, language);
      return { fits: one.startsWith('!') === (found.length === 0), cue: /^[!~]/.test(one) ? [] : found };
    });
    if (named.every(({ fits }) => fits)) return { kind, cue: named.flatMap(({ cue }) => cue) };
  }
  return { kind: undefined, cue: [] };
}

/** The language that most of these words are of. */
function languageOf(words: readonly string[]): Language {
  const counted = LANGUAGES.map(language => ({
    language,
    count: words.filter(language.isEmpty).length,
  }));
  return counted.reduce((one, other) => (other.count > one.count ? other : one)).language;
}

/** Whether someone speaks of a meeting, or says no, in any language. */
export function saysOf(concept: 'meet' | 'not', words: readonly string[]): boolean {
  return (CONCEPTS.get(concept) ?? []).some(
    ({ words: [first = '', ...others], isBeginning }) =>
      others.length === 0 && words.some(word => (isBeginning ? word.startsWith(first) : word === first)),
  );
}

const MOST_WORDS = 8;
const FILLERS = ['who', 'whom', 'me', 'my', 'not', 'must', 'get', 'owe'] as const;

/** The words of a question that say what it is about. */
function mattersOf(words: readonly string[], language: Language): string[] {
  const fillers = FILLERS.flatMap(concept => naming(concept, words, language));
  const isEmpty = (word: string) =>
    language.isEmpty(word) || fillers.includes(word) || /^\p{Script=Latin}$/u.test(word);
  return [...new Set(words)].filter(word => !isEmpty(word)).slice(0, MOST_WORDS);
}

/** Words that may name someone. */
export function namesIn(typed: string): string[] {
  const words = wordsIn(typed.replaceAll(ENDING, ''));
  return mattersOf(words, languageOf(words));
}

/** Fewer words may be anything: a name, or "who". */
const LEAST_WORDS = 3;

/** Whether what was typed into a search field asks something. */
export function isQuestion(typed: string): boolean {
  const words = wordsIn(typed);
  if (/[?？؟]\s*$/u.test(typed) || typed.startsWith('¿')) return words.length > 1;
  const [first = ''] = words;
  // A letter alone opens no question.
  return words.length >= LEAST_WORDS && first.length > 1 && LANGUAGES.some(({ isAsking }) => isAsking(first));
}

type About = {
  language: string;
  today: string;
  /** A weekday is the next one, not the last. */
  isToCome: boolean;
};

/** The days that a question names, as people say them, and which of its words say so. */
export function readDays(typed: string, { language, today, isToCome }: About) {
  const named = daysTypedIn(typed, language);
  const names = named.flatMap(({ word }) => wordsIn(word));
  const numbers = wordsIn(typed).filter(word => /^\d{1,2}$/.test(word));
  const at = (day: string) => new Date(`${day}T00:00:00Z`);
  const read = (from: string) => findWhen(typed, language, at(from), 'UTC');
  const found = read(today);
  const counted = daysCountedIn(typed).toSorted((one, other) => Math.abs(other) - Math.abs(one))[0];
  const own = wordsIn(found?.words ?? '');
  const all = [...new Set([...names, ...numbers, ...own, ...countedWords(typed, language)])];
  const told = (days: Days, isAhead: boolean) => ({ days, isAhead, said: all });
  const week = dayNames(language).week.test(plain(typed));
  if (counted !== undefined && (Math.abs(counted) === 7 || counted === 100)) {
    const monday = dayAfter(mondayOf(today), counted === 100 ? 0 : counted);
    return told({ since: monday, until: sundayOf(monday), isSure: true }, counted > 0);
  }
  if (found && week && !named.length)
    return told({ since: mondayOf(found.date), until: sundayOf(found.date), isSure: true }, true);
  if (counted !== undefined && counted <= 0) {
    const day = dayBefore(today, -counted);
    return told({ since: day, until: day, isSure: true }, counted === 0);
  }
  const isWeekday = named.some(({ meanings }) => [...meanings].some(one => one.startsWith('weekday')));
  const isDated =
    named.some(({ meanings }) => [...meanings].some(one => one.startsWith('month'))) && numbers.length > 0;
  if (isWeekday && !isDated && found) {
    const day = isToCome ? found.date : dayBefore(found.date, 7);
    return told({ since: day, until: day, isSure: isToCome }, isToCome);
  }
  // A date of the last months; one still to come may be named in a digest before it.
  const date = found && !found.isHour ? found.date : isDated ? read(dayBefore(today, LONG_AGO))?.date : undefined;
  return date ? told({ since: date, until: date, isSure: isToCome || date < today }, date >= today) : undefined;
}

const LONG_AGO = 200;

/** The words of "last week" and "yesterday". */
function countedWords(typed: string, language: string): string[] {
  const said = ` ${wordsIn(typed).join(' ')} `;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const names = [
    ...[-2, -1, 0, 1, 2].map(n => format.format(n, 'day')),
    ...[-1, 0, 1].map(n => format.format(n, 'week')),
  ];
  return names.map(wordsIn).flatMap(words => (said.includes(` ${words.join(' ')} `) ? words : []));
}

/** Words for one thing in business, as they begin, across languages. */
const SAME_MATTER = said.matters.map(wordsIn);

const LONG_ENOUGH = 4;
const LONGEST_ENDING = 3;
const COMPOUND = 10;

/** 0..1: how far a word that was said is the one that was asked about; the same, inflected, mistyped, or for the same matter. */
export function likenessOf(askedFor: string, saidThere: string): number {
  if (askedFor === saidThere) return 1;
  const [asked, said] = [askedFor, saidThere].map(inOneSpelling) as [string, string];
  const shared = sharedBeginning(asked, said);
  const [short, long] = [asked.length - shared, said.length - shared].toSorted((a, b) => a - b);
  if (
    shared >= LONG_ENOUGH &&
    short !== undefined &&
    long !== undefined &&
    short < LONGEST_ENDING &&
    long <= LONGEST_ENDING
  )
    return INFLECTED;
  if (shared === 3 && short === 0 && long === 1) return INFLECTED;
  // Of a compound the first part, nearly whole, or the last: "Notartermin" is what a notary has, "Steuerklasse" a class.
  const isFirst = shared > LONG_ENOUGH && said.length - shared < LONGEST_ENDING;
  if (asked.length >= COMPOUND && (isFirst || (said.length > LONG_ENOUGH && asked.endsWith(said)))) return SAME;
  if (isMistyped(asked, said)) return MISTYPED;
  return areSameMatter(askedFor, saidThere) ? SAME : 0;
}

/** Ukrainian and Russian spell many words with other letters. */
const inOneSpelling = (word: string) => word.replace(/[іы]/g, 'и').replace(/[єэ]/g, 'е');

const INFLECTED = 0.9;
const MISTYPED = 0.7;
const SAME = 0.7;

export function sharedBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const LONG_ENOUGH_TO_SLIP = 5;

/** One letter left out, added, changed or swapped with the next, and not the first one. */
export function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LONG_ENOUGH_TO_SLIP || long.length - short.length > 1 || short[0] !== long[0]) return false;
  if (/\d/.test(one + other)) return false;
  const at = sharedBeginning(short, long);
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

const isOf = (word: string, matter: readonly string[]) =>
  matter.some(beginning => (beginning.length < LONG_ENOUGH ? word === beginning : word.startsWith(beginning)));

function areSameMatter(one: string, other: string): boolean {
  return SAME_MATTER.some(matter => isOf(one, matter) && isOf(other, matter));
}

const SLIPS_AFTER = 3;

/** The same for a word that may be mistyped: it begins right. Empty where it is too short for that. */
export function looseBeginningsOf(word: string): string[] {
  return word.length < LONG_ENOUGH_TO_SLIP || /\d/.test(word) ? [] : [word.slice(0, SLIPS_AFTER)];
}

/** What the index is asked for a word: its beginning, without what an ending may change, and other words for its matter. */
export function beginningsOf(word: string): string[] {
  const cut = word.length > 7 ? 3 : word.length > 5 ? 2 : word.length > 4 ? 1 : 0;
  const own = /\d/.test(word) ? word : word.slice(0, word.length >= COMPOUND ? LONG_ENOUGH + 1 : word.length - cut);
  return [own, ...SAME_MATTER.filter(matter => isOf(word, matter)).flat()];
}
