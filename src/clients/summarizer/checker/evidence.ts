import { Temporal } from 'temporal-polyfill';
import { createYielder } from '../../../lib/inSteps.ts';
import { contentWords, fold, toWords } from '../cleaning.ts';
import { dayMeanings, findCountedDays, findNamedDays, findTypedDays, type Meaning } from '../days/calendar.ts';
import { findMentionedDays, ORDINAL } from '../days/findMentionedDays.ts';
import { dayNames } from '../days/names.ts';
import { detectLanguage } from '../language.ts';
import { packOf } from '../languages/stopwords.ts';
import { beginsWithTimeUnit } from '../languages/timeUnits.ts';
import { saysNot, WORDS } from '../languages/words.ts';
import { REMOVED } from './addresses.ts';
import * as numerals from './figures.ts';
import { findNamedUnits, isStateCurrency } from './units.ts';
import { hasForeignWord, indexWords } from './words.ts';

/** The text of a message, and when it was sent, if that is known. */
type SourceText = { text: string; language: string; sentAt?: Date };

type EvidenceInput = {
  said: readonly SourceText[];
  /** ISO 639-1 codes of the conversation and of the checked texts. */
  languages: readonly [spoken: string, written: string];
  /** Names that need no message. */
  names?: readonly string[];
  /** Folded words of names that are names wherever they are. */
  people?: ReadonlySet<string>;
  timezone: string;
  /** YYYY-MM-DD: the present one, and those that were computed. */
  days?: readonly string[];
  /** HH:MM */
  hours?: readonly string[];
  /** Small numbers in the texts are accepted as counts, even if no message has them. */
  mayCount?: boolean;
  /** Accepts only the messages' own words; `questionWords` may begin a sentence. */
  strictWith?: { questionWords: ReadonlySet<string> };
};

type Pair = `${number}-${number}`;
/** Unit of numbers without one, or within a date, an hour or a range. */
const NO_UNIT = 'bare';
const PART_OF_WHOLE = 'part';

/** The evidence that a text is checked against. */
export type Evidence = Awaited<ReturnType<typeof collectEvidence>>;

export async function collectEvidence(input: EvidenceInput) {
  const { said, languages, names = [], people = new Set(), timezone } = input;
  const nextStep = createYielder();
  /** Units by value; parts of dates, hours and ranges are kept together. */
  const values = new Map<string, Set<string>>();
  const groups: Set<string>[] = [];
  const units = new Set<string>();
  const hours = new Set(input.hours);
  /** Named, counted or computed. */
  const days = new Set(input.days);
  /** Days on which messages were sent. */
  const saidOn = new Set<string>();
  const meanings = new Set<Meaning>();
  /** Months with the numbers of their days. */
  const dates = new Set<Pair>();
  /** Days of months whose number was said. */
  const numbered: Temporal.PlainDate[] = [];
  for (const { text, language, sentAt } of said) {
    await nextStep();
    const figures = numerals.findPossibleFigures(text, language);
    for (const { value, parts, units: beside } of figures) {
      const add = (one: string, how: string) => values.set(one, (values.get(one) ?? new Set()).add(how));
      for (const unit of beside.length > 0 ? beside : [NO_UNIT]) add(value, unit);
      for (const unit of beside) units.add(unit);
      if (parts.length < 2) continue;
      for (const part of parts) add(part, PART_OF_WHOLE);
      groups.push(new Set(parts));
    }
    for (const hour of numerals.findHours(text, language)) hours.add(hour).add(numerals.shiftHalfDay(hour));
    const typed = findTypedDays(text, language);
    for (const day of typed) for (const meaning of day.meanings) meanings.add(meaning);
    for (const pair of findDates(figures, typed)) dates.add(pair);
    if (!sentAt || !Number.isFinite(sentAt.getTime())) continue;
    const local = Temporal.Instant.fromEpochMilliseconds(sentAt.getTime()).toZonedDateTimeISO(timezone);
    saidOn.add(local.toPlainDate().toString());
    hours.add(local.toPlainTime().toString({ smallestUnit: 'minute' }));
    const mentioned = await findMentionedDays({ text, language, sentAt }, timezone, nextStep);
    for (const day of mentioned.days) days.add(day);
    numbered.push(...mentioned.numbered);
  }
  // "The 21st" and "on Saturday" are one day, in whichever messages they are.
  for (const day of numbered) if (meanings.has(`weekday ${day.dayOfWeek}`)) days.add(day.toString());
  const texts = said.map(({ text }) => text);
  for (const unit of findNamedUnits(texts.join('\n').normalize('NFKC'), languages[0])) units.add(unit);
  return {
    ...input,
    people,
    values,
    groups,
    units,
    hours,
    days,
    saidOn,
    dates,
    words: await indexWords([...texts, ...names], languages),
    mentionedLetters: new Set([...texts, ...names].flatMap(numerals.listWords)),
    runs: said.flatMap(({ text, language }) => numerals.findDigitRuns(text, language)),
    isLarge: [...values.keys()].some(value => Number(value) >= 1000),
    meanings: new Set([...meanings, ...[...days].flatMap(dayMeanings)]),
  };
}

type TextOptions = { days?: readonly string[]; isHeading?: boolean };

/**
 * Whether a text's figures with what they count, days, names, and addresses and handles (marked earlier) were said.
 * `days`: computed for this text (YYYY-MM-DD); `isHeading`: any of its words may be capitalized.
 */
export function isSupported(text: string, evidence: Evidence, { days = [], isHeading = false }: TextOptions = {}): boolean {
  const { words, people, strictWith } = evidence;
  const meanings = evidence.meanings.union(new Set(days.flatMap(dayMeanings)));
  const computed = { ...evidence, days: evidence.days.union(new Set(days)), meanings };
  return (
    !text.includes(REMOVED) &&
    areFiguresSupported(text, computed) &&
    areDaysSupported(text, computed) &&
    !hasForeignWord(text, words, { isHeading, people, questionWords: strictWith?.questionWords })
  );
}

/**
 * Whether a text shares a word or figure with the messages: "they threatened to sue" shares none. Names alone don't count
 * unless the wording is strict, negated or translated.
 */
export function mentionsAny(text: string, { words, people, strictWith, languages: [spoken, written] }: Evidence): boolean {
  const own = contentWords(toWords(fold(text, written)), packOf(written));
  if (strictWith) return own.some(words.isNameSaid);
  if (spoken !== written || saysNot(text, spoken)) return true;
  const found = detectLanguage([text]);
  // Languages with fused articles or without spaces share hardly any whole word.
  if ((found !== spoken && found !== 'und') || /\p{Lo}/u.test(text)) return true;
  const telling = own.filter(word => !people.has(word));
  return telling.length === 0 || telling.some(words.isSaidInPart) || numerals.findFigures(text, spoken).length > 0;
}

/** Smaller numbers may be counts that no message has; a text with more than two of them may spell out a code. */
const MIN_CODE_NUMBER = 13;
const MAX_COUNTS = 2;
const LAST_OF_MONTH = 31;
const POINT = /^\.(?!\d)/;

const isSmall = (value: string) => /^\d+$/.test(value) && Number(value) < MIN_CODE_NUMBER;

function areFiguresSupported(text: string, evidence: Evidence): boolean {
  const { values, runs, languages, isLarge, mentionedLetters } = evidence;
  const isOfDay = createDayNumberCheck(text, languages[1]);
  const figures = numerals.findFigures(text, languages[1]);
  const counts = figures.filter(
    figure => figure.parts.length === 1 && isSmall(figure.value) && !values.has(figure.value) && !isOfDay(figure),
  );
  const own = numerals.writeInDigits(text, languages[1]);
  // Number words of any language; one other word may stand between them: "1–6 on the 11th".
  const worded = Object.keys(WORDS).map(language => numerals.writeInDigits(text.replaceAll(/\p{Nd}/gu, 'x'), language));
  const amounts = worded.flatMap(one => one.match(/\d{3,}/g) ?? []);
  return (
    counts.length <= MAX_COUNTS &&
    figures.every(createFigureCheck(text, evidence)) &&
    amounts.every(amount => values.has(amount)) &&
    numerals.findDigitRows([own, ...worded]).every(row => runs.some(run => run.includes(numerals.keepDigits(row)))) &&
    (isLarge || numerals.findLargeWords(own).every(word => mentionedLetters.has(word)))
  );
}

/** Tells whether a number of the text was said, with its unit, or is that of a day or an hour. */
function createFigureCheck(text: string, evidence: Evidence) {
  const { values, units: named, groups, hours, dates, languages, mayCount } = evidence;
  const [, language] = languages;
  const textHours = numerals.findHours(text, language).flatMap(hour => [hour, numerals.shiftHalfDay(hour)]);
  const isOfDay = createDayNumberCheck(text, language);
  const splitDay = (day: string) => new Set(day.split('-').map(part => String(Number(part))));
  const dayParts = [...evidence.days, ...evidence.saidOn].map(splitDay);
  const isTogether = (parts: string[]) =>
    [...groups, ...dayParts].some(group => parts.every(part => group.has(part))) ||
    (parts.length === 2 && [parts, parts.toReversed()].some(pair => dates.has(pair.join('-') as Pair)));
  const isSaid = (value: string, units: string[]) => {
    const said = values.get(value);
    if (!said || units.length === 0 || units.some(unit => said.has(unit))) return said !== undefined;
    const areOfStates = ![...named].some(isStateCurrency) && units.every(isStateCurrency);
    return said.has(NO_UNIT) && (areOfStates || units.some(unit => named.has(unit)));
  };
  return (figure: numerals.Figure): boolean => {
    const { value, parts, units, written, index } = figure;
    const [hour = '', minute = '0'] = parts;
    const isHourMentioned = () =>
      hours.has(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`) ||
      (minute === '0' && (values.has(hour) || values.has(value)));
    if (isSaid(value, units)) return true;
    const isRange = /^\d+(?:[-–/]\d+)+$/.test(written);
    if (isRange) return isTogether(parts) || parts.every(part => isSaid(part, units));
    if (units.length > 0) return false;
    if (parts.length > 1) return (/^\d{1,2}[:.]\d{2}$/.test(written) && isHourMentioned()) || isTogether(parts);
    const isLength = () => value !== '1' && beginsWithTimeUnit(text.slice(index + written.length), language);
    const isCount = mayCount === true && isSmall(value) && !isLength();
    const isHour = Number(value) <= 24 && textHours.includes(`${String(Number(value) % 24).padStart(2, '0')}:00`);
    if (isHour) return isHourMentioned() || isCount;
    return isOfDay(figure) ? dayParts.some(day => day.has(value)) : isCount;
  };
}

/** Digits are days and years in a text with a weekday or month; otherwise their notation decides. */
function createDayNumberCheck(text: string, language: string) {
  const plain = text.normalize('NFKC');
  const namesDay = findNamedDays(text, language).length > 0;
  const { numbered, said } = dayNames(language);
  const byWord = [numbered, said.number].flatMap(pattern => pattern.exec(fold(text, language))?.slice(1) ?? []);
  return ({ value, written, index }: numerals.Figure) =>
    (Number(value) <= LAST_OF_MONTH || /^20\d\d$/.test(value)) &&
    /^\p{Nd}/u.test(plain.slice(index)) &&
    (namesDay || byWord.includes(value) || [ORDINAL, POINT].some(end => end.test(plain.slice(index + written.length))));
}

/** Whether the messages name the text's weekdays and months, and each of its dates as a whole. */
function areDaysSupported(text: string, evidence: Evidence): boolean {
  const { days, saidOn, dates, groups, strictWith, languages } = evidence;
  // An answer may not say "tomorrow": it is read on another day than the message.
  if (strictWith && findCountedDays(text).length > 0) return false;
  const named = findNamedDays(text, languages[1]);
  const figures = numerals.findFigures(text, languages[1]);
  const numbers = new Set(figures.map(({ value }) => value));
  // Requires the day's number, as the day of a message could pass for the agreed one.
  const spokenOn = [...saidOn].filter(day => !strictWith || numbers.has(String(Number(day.slice(8)))));
  const known = [...days, ...spokenOn].map(day => `${Number(day.slice(5, 7))}-${Number(day.slice(8))}` as Pair);
  const pairs = findDates(figures, named);
  const isTogether = (pair: Pair) => groups.some(group => pair.split('-').every(part => group.has(part)));
  const months = pairs.map(pair => `month ${Number(pair.split('-')[0])}` as Meaning);
  const mayBe = new Set([...evidence.meanings, ...spokenOn.flatMap(dayMeanings), ...months]);
  return (
    pairs.every(pair => dates.has(pair) || known.includes(pair) || isTogether(pair)) &&
    named.every(({ meanings }) => !mayBe.isDisjointFrom(meanings))
  );
}

/** Characters between a month and the number of its day: "3 de diciembre", "Nov. 30". */
const MAX_GAP = 5;

/** The months that are named with a day, in whichever order: in "12 November, um 7 Uhr" the hour is none. */
function findDates(figures: readonly numerals.Figure[], named: ReturnType<typeof findNamedDays>): Pair[] {
  return named.flatMap(({ word, index, meanings }) => {
    const months = [...meanings].flatMap(meaning => (meaning.startsWith('month') ? meaning.slice(6) : []));
    const near = figures.filter(({ value, parts, written, index: at }) => {
      const gap = at > index ? at - index - word.length : index - at - written.length;
      return at >= 0 && parts.length === 1 && Number(value) >= 1 && Number(value) <= LAST_OF_MONTH && gap <= MAX_GAP;
    });
    const before = near.filter(({ index: at }) => at < index);
    const days = before.length > 0 ? before : near.slice(0, 1);
    return days.flatMap(({ value }) => months.map(month => `${month}-${value}` as Pair));
  });
}
