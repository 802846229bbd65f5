import { Temporal } from 'temporal-polyfill';
import { createYielder } from '../../../lib/inSteps.ts';
import { contentWords, fold, toWords } from '../cleaning.ts';
import * as calendar from '../days/calendar.ts';
import { createDayNumberCheck, findDates, type MonthDay } from '../days/dayNumbers.ts';
import { findMentionedDays } from '../days/findMentionedDays.ts';
import { detectLanguage } from '../language.ts';
import { packOf } from '../languages/stopwords.ts';
import { beginsWithTimeUnit } from '../languages/timeUnits.ts';
import { saysNot, WORD_PATTERNS } from '../languages/words.ts';
import { REMOVED } from './addresses.ts';
import * as numerals from './figures.ts';
import { findNamedUnits, isStateCurrency } from './units.ts';
import { hasForeignWord, indexWords } from './words.ts';

/** The text of a message, and when it was sent, if that is known. A promise, which is no message, has no id. */
type SourceText = { text: string; language: string; messageId?: string; sentAt?: Date };

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
  /** Small numbers in words are accepted as counts, even if no message has them. */
  mayCount?: boolean;
  /** Accepts only the messages' own words; `questionWords` may begin a sentence. */
  strictWith?: { questionWords: ReadonlySet<string> };
};

/** Stands in for the unit of a number that has none. */
const NO_UNIT = 'bare';
/** Stands in for the unit of a number that is part of a date, an hour or a range. */
const PART_OF_WHOLE = 'part';

/** The evidence that a text is checked against. */
export type Evidence = Awaited<ReturnType<typeof collectEvidence>>;

export async function collectEvidence(input: EvidenceInput) {
  const { said, languages, names = [], people = new Set() } = input;
  const nextStep = createYielder();
  const read: ReadText[] = [];
  for (const one of said) {
    await nextStep();
    read.push(await readText(one, input.timezone, nextStep));
  }
  const texts = said.map(({ text }) => text);
  const whole = combineEvidence(read, input);
  return {
    ...input,
    ...whole,
    people,
    words: await indexWords([...texts, ...names], languages),
    mentionedWords: new Set([...texts, ...names].flatMap(numerals.listWords)),
    runs: said.flatMap(({ text, language }) => numerals.findDigitRuns(text, language)),
    isLarge: [...whole.values.keys()].some(value => Number(value) >= 1000),
    /** The figures and days of these messages, of `reach` ones before and after each, and of texts that are no messages. */
    around(messageIds: readonly string[], reach = 0) {
      const isNear = (at: number) =>
        read.slice(Math.max(0, at - reach), at + reach + 1).some(({ messageId = '' }) => messageIds.includes(messageId));
      const near = read.filter(({ messageId }, at) => messageId === undefined || isNear(at));
      return combineEvidence(near, input);
    },
  };
}

type ReadText = Awaited<ReturnType<typeof readText>>;

async function readText({ text, language, messageId, sentAt }: SourceText, timezone: string, nextStep: () => Promise<void>) {
  const figures = numerals.findPossibleFigures(text, language);
  const hours = numerals.findHours(text, language).flatMap(hour => [hour, numerals.shiftHalfDay(hour)]);
  const typed = calendar.findTypedDays(text, language);
  const dates = findDates(figures, typed);
  const meanings = typed.flatMap(day => [...day.meanings]);
  const own = { text, messageId, figures, dates, meanings };
  if (!sentAt || !Number.isFinite(sentAt.getTime())) return { ...own, hours, days: [], numbered: [], saidOn: [] };
  const local = Temporal.Instant.fromEpochMilliseconds(sentAt.getTime()).toZonedDateTimeISO(timezone);
  hours.push(local.toPlainTime().toString({ smallestUnit: 'minute' }));
  const { days, numbered } = await findMentionedDays({ text, language, sentAt }, timezone, nextStep);
  return { ...own, hours, days, numbered, saidOn: [local.toPlainDate().toString()] };
}

/** Everything that texts say in figures and days, and what was computed. */
function combineEvidence(read: readonly ReadText[], input: Pick<EvidenceInput, 'languages' | 'days' | 'hours'>) {
  /** Units by value; parts of dates, hours and ranges are kept together. */
  const values = new Map<string, Set<string>>();
  const groups: Set<string>[] = [];
  for (const { value, parts, units } of read.flatMap(({ figures }) => figures)) {
    const add = (one: string, how: string) => values.set(one, (values.get(one) ?? new Set()).add(how));
    for (const unit of units.length > 0 ? units : [NO_UNIT]) add(value, unit);
    if (parts.length < 2) continue;
    for (const part of parts) add(part, PART_OF_WHOLE);
    groups.push(new Set(parts));
  }
  const text = read.map(one => one.text).join('\n');
  const named = new Set(read.flatMap(({ meanings }) => meanings));
  // "The 21st" and "on Saturday" are one day, in whichever messages they are.
  const numbered = read.flatMap(one => one.numbered).filter(({ dayOfWeek }) => named.has(`weekday ${dayOfWeek}`));
  /** Named, counted or computed. */
  const days = new Set([...(input.days ?? []), ...read.flatMap(one => one.days), ...numbered.map(String)]);
  return {
    values,
    groups,
    units: new Set([
      ...read.flatMap(({ figures }) => figures.flatMap(({ units }) => units)),
      ...findNamedUnits(text.normalize('NFKC'), input.languages[0]),
    ]),
    hours: new Set([...(input.hours ?? []), ...read.flatMap(one => one.hours)]),
    days,
    /** Days on which messages were sent. */
    saidOn: new Set(read.flatMap(one => one.saidOn)),
    /** Months with the numbers of their days. */
    dates: new Set(read.flatMap(one => one.dates)),
    meanings: new Set([...named, ...[...days].flatMap(calendar.dayMeanings)]),
  };
}

type TextOptions = { days?: readonly string[]; isHeading?: boolean };

/**
 * Whether a text's figures (with what they count), days, names, addresses and handles (marked earlier) were all said.
 * `days`: computed for this text (YYYY-MM-DD); `isHeading`: any of its words may be capitalized.
 */
export function isSupported(text: string, evidence: Evidence, { days = [], isHeading = false }: TextOptions = {}): boolean {
  const { words, people, strictWith } = evidence;
  return (
    !text.includes(REMOVED) &&
    areFiguresSupported(text, withDays(evidence, days)) &&
    areDaysSupported(text, withDays(evidence, days)) &&
    !hasForeignWord(text, words, { isHeading, people, questionWords: strictWith?.questionWords })
  );
}

function withDays(evidence: Evidence, days: readonly string[]): Evidence {
  const meanings = evidence.meanings.union(new Set(days.flatMap(calendar.dayMeanings)));
  return { ...evidence, days: evidence.days.union(new Set(days)), meanings };
}

/** How many messages before and after the cited ones may name a day. */
const DAY_REACH = 2;

/**
 * Whether a text's sums are in the messages that it cites, or in a promise, and its days in these, near them, or in `days`,
 * computed for it: in a group, others may have meant something else.
 */
export function areSumsAndDaysCited(text: string, ids: readonly string[], evidence: Evidence, days: readonly string[]) {
  const { values } = evidence.around(ids);
  const sums = numerals.findFigures(text, evidence.languages[1]).filter(({ units }) => units.length > 0);
  return (
    sums.every(({ value, parts }) => values.has(value) || parts.every(part => values.has(part))) &&
    areDaysSupported(text, withDays({ ...evidence, ...evidence.around(ids, DAY_REACH) }, days))
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

/** Smaller ones in words may be counts that no message has; a text with more than two of them may spell out a code. */
const MIN_CODE_NUMBER = 13;
const MAX_COUNTS = 2;

const isSmall = (value: string) => /^\d+$/.test(value) && Number(value) < MIN_CODE_NUMBER;

function areFiguresSupported(text: string, evidence: Evidence): boolean {
  const { values, runs, languages, isLarge, mentionedWords } = evidence;
  const isOfDay = createDayNumberCheck(text, languages[1]);
  const figures = numerals.findFigures(text, languages[1]);
  const counts = figures.filter(
    figure => figure.parts.length === 1 && isSmall(figure.value) && !values.has(figure.value) && !isOfDay(figure),
  );
  const own = numerals.writeInDigits(text, languages[1]);
  // Number words of any language; one other word may stand between them: "1–6 on the 11th".
  const worded = Object.keys(WORD_PATTERNS).map(language =>
    numerals.writeInDigits(text.replaceAll(/\p{Nd}/gu, 'x'), language),
  );
  const amounts = worded.flatMap(one => one.match(/\d{3,}/g) ?? []);
  return (
    counts.length <= MAX_COUNTS &&
    figures.every(createFigureCheck(text, evidence)) &&
    amounts.every(amount => values.has(amount)) &&
    numerals.findDigitRows([own, ...worded]).every(row => runs.some(run => run.includes(numerals.keepDigits(row)))) &&
    (isLarge || numerals.findLargeWords(own).every(word => mentionedWords.has(word)))
  );
}

/** Tells whether a number of the text was said, with its unit, or is that of a day or an hour. */
function createFigureCheck(text: string, evidence: Evidence) {
  const { groups, dates, days, saidOn, mayCount, languages } = evidence;
  const [, language] = languages;
  const isOfDay = createDayNumberCheck(text, language);
  const isHour = createHourTest(text, language);
  const inDigits = new Set([...text.normalize('NFKC').matchAll(/(?<![\p{L}\p{N}])\p{Nd}/gu)].map(({ index }) => index));
  const dayParts = [...days, ...saidOn].map(day => new Set(day.split('-').map(part => String(Number(part)))));
  const isTogether = (parts: string[]) =>
    [...groups, ...dayParts].some(group => parts.every(part => group.has(part))) ||
    (parts.length === 2 && [parts, parts.toReversed()].some(pair => dates.has(pair.join('-') as MonthDay)));
  const isCount = ({ value, written, index }: numerals.Figure) => {
    const isLength = () => value !== '1' && beginsWithTimeUnit(text.slice(index + written.length), language);
    return mayCount === true && isSmall(value) && !inDigits.has(index) && !isLength();
  };
  return (figure: numerals.Figure): boolean => {
    const { value, parts, units, written } = figure;
    if (isAmountSaid(value, units, evidence)) return true;
    if (/^\d+(?:[-–/]\d+)+$/.test(written))
      return isTogether(parts) || parts.every(part => isAmountSaid(part, units, evidence));
    if (units.length > 0) return false;
    if (parts.length > 1) return (/^\d{1,2}[:.]\d{2}$/.test(written) && isHourSaid(figure, evidence)) || isTogether(parts);
    if (isHour(value)) return isHourSaid(figure, evidence) || isCount(figure);
    return isOfDay(figure) ? dayParts.some(day => day.has(value)) : isCount(figure);
  };
}

/** Whether a number was said with one of the units; without any where the messages name the unit, or no other money. */
function isAmountSaid(value: string, units: string[], { values, units: named }: Evidence): boolean {
  const said = values.get(value);
  if (!said || units.length === 0 || units.some(unit => said.has(unit))) return said !== undefined;
  const areOfStates = ![...named].some(isStateCurrency) && units.every(isStateCurrency);
  return said.has(NO_UNIT) && (areOfStates || units.some(unit => named.has(unit)));
}

function isHourSaid({ value, parts: [hour = '', minute = '0'] }: numerals.Figure, { hours, values }: Evidence): boolean {
  const isNumberSaid = minute === '0' && (values.has(hour) || values.has(value));
  return hours.has(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`) || isNumberSaid;
}

/** Tells which bare numbers of the text are full hours: those of no date. */
function createHourTest(text: string, language: string) {
  const fullHours = numerals.findHours(text, language).filter(hour => hour.endsWith(':00'));
  const monthDays = findDates(numerals.findFigures(text, language), calendar.findNamedDays(text, language));
  return (value: string) =>
    !monthDays.some(pair => pair.endsWith(`-${value}`)) &&
    Number(value) <= 24 &&
    fullHours.some(hour => Number(hour.slice(0, 2)) % 12 === Number(value) % 12);
}

/** Whether the messages name the text's weekdays and months, and each of its dates as a whole. */
function areDaysSupported(text: string, evidence: Evidence): boolean {
  const { days, saidOn, dates, groups, strictWith, languages } = evidence;
  // An answer may not say "tomorrow": it is read on another day than the message.
  if (strictWith && calendar.findCountedDays(text).length > 0) return false;
  const named = calendar.findNamedDays(text, languages[1]);
  const figures = numerals.findFigures(text, languages[1]);
  const numbers = new Set(figures.map(({ value }) => value));
  // Requires the day's number, as the day of a message could pass for the agreed one.
  const spokenOn = [...saidOn].filter(day => !strictWith || numbers.has(String(Number(day.slice(8)))));
  const known = [...days, ...spokenOn].map(day => `${Number(day.slice(5, 7))}-${Number(day.slice(8))}` as MonthDay);
  const pairs = findDates(figures, named);
  const isTogether = (pair: MonthDay) => groups.some(group => pair.split('-').every(part => group.has(part)));
  const months = pairs.map(pair => `month ${Number(pair.split('-')[0])}` as calendar.Meaning);
  const mayBe = new Set([...evidence.meanings, ...spokenOn.flatMap(calendar.dayMeanings), ...months]);
  return (
    pairs.every(pair => dates.has(pair) || known.includes(pair) || isTogether(pair)) &&
    named.every(({ meanings }) => !mayBe.isDisjointFrom(meanings))
  );
}
