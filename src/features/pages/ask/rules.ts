import { ara, deu, ell, eng, fra, heb, ita, pol, por, rus, spa, tur, ukr } from 'stopword';
import { findCountedDays, findTypedDays, THIS_WEEK } from '../../../clients/summarizer/days/calendar.ts';
import { findWhen } from '../../../clients/summarizer/days/findWhen.ts';
import { dayNames, foldInPlace } from '../../../clients/summarizer/days/names.ts';
import questionWords from '../../../clients/summarizer/languages/questions.json' with { type: 'json' };
import { addDays, mondayOf, subtractDays, sundayOf } from '../../../lib/timezones.ts';
import { splitSearchWords } from '../../digests/rules.ts';
import type { Question, QuestionKind } from './schema.ts';

/*
 * How a question is understood, by what people ask with (`languages/questions.json`). `ask`: words that say nothing about
 * a matter. Concepts are named by words of all languages, but for "I", which is a common word of others: `_` joins words
 * that follow each other, `*` is any ending.
 */

/** By language: the library names them by three letters, `deu`, and questions by two, `de`. */
const STOPWORDS = new Map(
  Object.entries({ ara, deu, ell, eng, fra, heb, ita, pol, por, rus, spa, tur, ukr }).map(([code, words]) => {
    return [new Intl.Locale(code).language, words];
  }),
);

type Concept = keyof typeof questionWords.concepts | 'i';
type Term = { words: string[]; isBeginning: boolean };

const parseTerms = (typed: string): Term[] =>
  typed
    .split(' ')
    .filter(Boolean)
    .map(term => ({ words: splitSearchWords(term), isBeginning: term.endsWith('*') }));

const CONCEPTS = new Map(Object.entries(questionWords.concepts).map(([name, typed]) => [name, parseTerms(typed)]));

function createWordTest(typed: string): (word: string) => boolean {
  const terms = parseTerms(typed);
  const whole = new Set(terms.flatMap(({ words, isBeginning }) => (isBeginning ? [] : words)));
  const beginnings = terms.flatMap(({ words, isBeginning }) => (isBeginning ? words : []));
  return word => whole.has(word) || beginnings.some(beginning => word.startsWith(beginning));
}

const LANGUAGES = Object.entries<{ ask: string; i?: string }>(questionWords.languages).map(([code, { ask, i = '' }]) => ({
  code,
  i: parseTerms(i),
  isAsking: createWordTest(ask),
  isStopWord: createWordTest(`${ask} ${i.replaceAll('_', ' ')} ${(STOPWORDS.get(code) ?? []).join(' ')}`),
}));
type Language = (typeof LANGUAGES)[number];

function findConceptWords(concept: Concept, words: readonly string[], language?: Language): string[] {
  const terms = concept === 'i' ? (language?.i ?? []) : (CONCEPTS.get(concept) ?? []);
  return terms.flatMap(({ words: sought, isBeginning }) => {
    const isSaid = (word: string | undefined, n: number) =>
      isBeginning && n === sought.length - 1 ? word?.startsWith(sought[n] ?? '') : word === sought[n];
    const isAt = (at: number) => sought.every((_, n) => isSaid(words[at + n], n));
    return words.flatMap((_, at) => (isAt(at) ? words.slice(at, at + sought.length) : []));
  });
}

/** Fits a question with words for all of `needs` and `keeps`, and none of `lacks`. The words for `needs` are not in its topic. */
type KindPattern = { kind: QuestionKind } & Partial<Record<'needs' | 'keeps' | 'lacks', readonly Concept[]>>;

/** The first pattern that fits tells the question's kind. */
const KINDS: readonly KindPattern[] = [
  { kind: 'unanswered', needs: ['wait', 'i'], lacks: ['my', 'when'] },
  { kind: 'waiting', needs: ['wait', 'who'] },
  { kind: 'waiting', needs: ['wait', 'me'] },
  { kind: 'waiting', needs: ['wait', 'my'] },
  { kind: 'waiting', needs: ['answer', 'i'], lacks: ['me'] },
  { kind: 'waiting', needs: ['answer', 'whom'], lacks: ['me'] },
  { kind: 'waiting', needs: ['answer', 'fromMe'] },
  { kind: 'unanswered', needs: ['answer', 'me', 'not'] },
  { kind: 'unanswered', needs: ['answer', 'me', 'who'] },
  { kind: 'unanswered', needs: ['answer', 'not', 'who'] },
  { kind: 'threat', needs: ['threat'] },
  { kind: 'threat', needs: ['leave', 'who'] },
  { kind: 'theirs', needs: ['owe', 'me'], lacks: ['i'] },
  { kind: 'mine', needs: ['owe', 'i'] },
  { kind: 'mine', needs: ['owe', 'whom'] },
  { kind: 'mine', needs: ['promise', 'i'] },
  { kind: 'mine', needs: ['fromMe'] },
  { kind: 'theirs', needs: ['promise'] },
  { kind: 'theirs', needs: ['get', 'i'] },
  { kind: 'meeting', needs: ['when', 'meet'] },
  { kind: 'meeting', needs: ['next', 'meet'] },
  { kind: 'where', needs: ['where', 'meet'] },
  { kind: 'mine', needs: ['must', 'i'] },
  { kind: 'mine', needs: ['give', 'i'] },
  { kind: 'theirs', needs: ['me'], keeps: ['give'], lacks: ['i'] },
  { kind: 'theirs', needs: ['me'], keeps: ['pay'], lacks: ['i'] },
  { kind: 'offer', needs: ['offer'], lacks: ['when'] },
  { kind: 'any', needs: ['when', 'past'] },
];

/** A case ending after an apostrophe, which is no part of a name: "Emre'nin", "Claire’s". "d'Amélie" has none. */
const ENDING = /(?<=\p{L}{3})['’]\p{L}{1,4}(?!\p{L})/gu;

/** Facts that a question asks for by a word of their own. If it has words for several, the first in this list counts. */
const FACTS = ['when', 'price', 'howMuch', 'where'] as const;

/** Takes a question apart. @param today the user's present day, YYYY-MM-DD */
export function readQuestion(typed: string, today: string): Question {
  const words = splitSearchWords(typed.replaceAll(ENDING, ''));
  const language = detectLanguage(words);
  const has = (concept: Concept) => findConceptWords(concept, words, language).length > 0;
  const classified = classifyQuestion(words, language);
  const isByUser = has('i');
  const isToCome = (!classified.kind && !has('past')) || classified.kind === 'meeting';
  const readDates = readDays(typed, { language: language.code, today, isToCome });
  const unread = words.filter(word => !readDates?.words.includes(word));
  const fact = FACTS.find(has) ?? 'any';
  // What asks for a price in one language may be in a question of any other.
  const facts = fact === 'any' ? [] : findConceptWords(fact, words);
  const all = topicTerms(
    unread.filter(word => !facts.includes(word)),
    language,
  );
  // "By when does she need the price?"
  const price = fact === 'when' ? findConceptWords('price', words, language) : [];
  const transfers = classified.kind === 'mine' || classified.kind === 'theirs' ? findConceptWords('give', words) : [];
  const matters = [...all.filter(word => ![...classified.cue, ...transfers].includes(word)), ...price];
  const isAgenda = !classified.kind && readDates?.isAhead && matters.length === 0 && isToCome;
  const kind = isAgenda ? 'agenda' : (classified.kind ?? fact);
  const isCueMatter = kind === 'meeting' || kind === 'offer';
  const cue = isCueMatter ? all.filter(word => classified.cue.includes(word)) : transfers;
  return { typed, language: language.code, days: readDates?.days, isByUser, words: matters, cue, kind };
}

function classifyQuestion(words: readonly string[], language: Language): { kind?: QuestionKind; cue: string[] } {
  const find = (concept: Concept) => findConceptWords(concept, words, language);
  const has = (concept: Concept) => find(concept).length > 0;
  const isFitting = ({ needs = [], keeps = [], lacks = [] }: KindPattern) =>
    [...needs, ...keeps].every(has) && !lacks.some(has);
  const pattern = KINDS.find(isFitting);
  return pattern ? { kind: pattern.kind, cue: (pattern.needs ?? []).flatMap(find) } : { cue: [] };
}

/** The language in which most of these words are stop words. */
function detectLanguage(words: readonly string[]): Language {
  const countOf = (language: Language) => words.filter(language.isStopWord).length;
  return LANGUAGES.reduce((one, other) => (countOf(other) > countOf(one) ? other : one));
}

/** Whether someone speaks of a meeting, in any language. */
export function saysMeet(words: readonly string[]): boolean {
  return findConceptWords('meet', words).length > 0;
}

const MAX_WORDS = 8;
const FILLERS = ['who', 'whom', 'me', 'my', 'not', 'must', 'get', 'owe'] as const;

/** The words of a question that say what it is about. */
function topicTerms(words: readonly string[], language: Language): string[] {
  const fillers = FILLERS.flatMap(concept => findConceptWords(concept, words, language));
  const isEmpty = (word: string) => language.isStopWord(word) || fillers.includes(word) || /^\p{Script=Latin}$/u.test(word);
  return [...new Set(words)].filter(word => !isEmpty(word)).slice(0, MAX_WORDS);
}

/** Words that may name someone. */
export function topicWords(typed: string): string[] {
  const words = splitSearchWords(typed.replaceAll(ENDING, ''));
  return topicTerms(words, detectLanguage(words));
}

/** Minimum number of words of a question without a question mark: fewer may be anything, such as a name. */
const MIN_WORDS = 3;

/** Whether a search input is a question. */
export function isQuestion(typed: string): boolean {
  const words = splitSearchWords(typed);
  if (/[?？؟]\s*$/u.test(typed) || typed.startsWith('¿')) return words.length > 1;
  const [first = ''] = words;
  // A letter alone opens no question.
  return words.length >= MIN_WORDS && first.length > 1 && LANGUAGES.some(({ isAsking }) => isAsking(first));
}

type QuestionContext = {
  language: string;
  today: string;
  /** A weekday is the next one, not the last. */
  isToCome: boolean;
};

/** The days that a question names, as people say them, and which of its words say so. */
function readDays(typed: string, { language, today, isToCome }: QuestionContext) {
  const named = findTypedDays(typed, language);
  const names = named.flatMap(({ word }) => splitSearchWords(word));
  const numbers = splitSearchWords(typed).filter(word => /^\d{1,2}$/.test(word));
  const findWhenFrom = (from: string) => findWhen(typed, language, new Date(`${from}T00:00:00Z`), 'UTC');
  const found = findWhenFrom(today);
  const words = [...names, ...numbers, ...splitSearchWords(found?.words ?? ''), ...countedWords(typed, language)];
  const ofWeek = (day: string, isAhead: boolean) => {
    return { days: { since: mondayOf(day), until: sundayOf(day), isSure: true }, isAhead, words };
  };
  const ofDay = (day: string, isSure: boolean, isAhead: boolean) => {
    return { days: { since: day, until: day, isSure }, isAhead, words };
  };
  const counted = findCountedDays(typed).toSorted((a, b) => Math.abs(b) - Math.abs(a))[0];
  if (counted === THIS_WEEK) return ofWeek(today, true);
  if (counted === 7 || counted === -7) return ofWeek(addDays(today, counted), counted > 0);
  if (found && named.length === 0 && dayNames(language).week.test(foldInPlace(typed))) return ofWeek(found.date, true);
  if (counted !== undefined && counted <= 0) return ofDay(subtractDays(today, -counted), true, counted === 0);
  const isNamed = (by: string) => named.some(({ meanings }) => [...meanings].some(one => one.startsWith(by)));
  const isDated = isNamed('month') && numbers.length > 0;
  if (found && isNamed('weekday') && !isDated)
    return ofDay(isToCome ? found.date : subtractDays(found.date, 7), isToCome, isToCome);
  // A date of the last months; one still to come may be named in a digest before it.
  const past = isDated ? findWhenFrom(subtractDays(today, LONG_AGO_DAYS))?.date : undefined;
  const date = found && !found.isHour ? found.date : past;
  return date ? ofDay(date, isToCome || date < today, date >= today) : undefined;
}

const LONG_AGO_DAYS = 200;

/** The typed words that count days or weeks from today, such as "last week" and "yesterday". */
function countedWords(typed: string, language: string): string[] {
  const typedWords = ` ${splitSearchWords(typed).join(' ')} `;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const names = [...[-2, -1, 0, 1, 2].map(n => format.format(n, 'day')), ...[-1, 0, 1].map(n => format.format(n, 'week'))];
  return names.map(splitSearchWords).flatMap(words => (typedWords.includes(` ${words.join(' ')} `) ? words : []));
}
