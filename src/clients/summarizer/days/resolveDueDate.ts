import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../lib/timezones.ts';
import { fold, toWords } from '../cleaning.ts';
import type { Sentence, Utterance } from '../conversation.ts';
import type { Pack } from '../languages/stopwords.ts';
import { LANGUAGES } from '../languages/types.ts';
import { JOINED } from '../languages/words.ts';
import { countDaysBetween, dayMeanings, findTypedDays, withoutLookalikes } from './calendar.ts';
import { findHour, findWhen, type When } from './findWhen.ts';
import { dayNames, findMonth, foldInPlace } from './names.ts';

/** A date as a model gives it: the words of the conversation, and the day that they mean to the model. */
type ClaimedDate = { words: string | null; date: string | null };
/** The messages that are cited, and the sentence of them that says it. */
type CitedMessages = { utterances: readonly [Utterance, ...Utterance[]]; sentence: Sentence | undefined };
/** `time`: HH:MM */
type ResolvedDueDate = { words: string | null; date: string | null; time: string | null };
/** `today`: YYYY-MM-DD, the day of the digest; `days`: those that any message of the conversation names. */
type Calendar = { timezone: string; today: string; days?: ReadonlySet<string> };
type MessageWords = { words: string; said: Utterance };
/** A part of a message, with the day or hour it names. */
type DatedPart = { text: string; said: Utterance; when: When };

/** The share of the claimed words that must be in the message. */
const MIN_SHARE_FOUND = 0.6;
const FARTHEST_DAYS = 2 * 366;
/** Maximum number of words of a message that says little else than an hour: "ok, 17.30 then". */
const MAX_WORDS_BESIDE_HOUR = 6;
const MAX_DAY_OF_MONTH = 31;

/**
 * The day someone named. It is the model's day if a cited message, or the words that the model quotes, name it or fit it.
 * Words fit several days if they say "this week", "Friday" (one of two), or "before 18" (day or hour). Otherwise it is
 * counted from the words and the moment they were said. An hour alone is on the day that another cited message names, or
 * else on the day of its own message.
 * Words that name no day are kept without one.
 */
export function resolveDueDate(
  claim: ClaimedDate,
  { utterances, sentence }: CitedMessages,
  calendar: Calendar,
): ResolvedDueDate {
  if (claim.words === null && claim.date === null) return { words: null, date: null, time: null };
  const texts = utterances.flatMap(said => said.sentences.map(({ text }) => ({ words: text, said })));
  const named = texts.flatMap(text => datedPart(text, calendar));
  const withDay = named.filter(({ when }) => !when.isHour);
  const quote = findClaimedWords(claim.words ?? '', utterances);
  const quoted = quote ? datedPart(quote, calendar, restoreContext(quote)) : [];
  const claimed = dropFarDay(claim.date, quote?.said ?? utterances[0], calendar);

  const agreeing = claimed ? [...quoted, ...withDay].find(part => isOpenTo(claimed, part, calendar)) : undefined;
  const ofSentence = withDay.find(({ text, said }) => said === sentence?.utterance && text === sentence.text);
  const chosen = agreeing ?? (quote ? addDayToHour(quoted, withDay) : ofSentence);
  const openQuote = !agreeing && quoted.every(({ when }) => when.isHour) ? quote : null;
  const isByNumber = claimed !== null && isSaidByNumber(claimed, openQuote, texts, calendar);

  const date = agreeing || isByNumber ? claimed : (chosen?.when.date ?? null);
  const hour = quoted[0]?.when.time ?? chosen?.when.time ?? (date ? findLoneHour(named, utterances) : null);
  return { words: quote?.words ?? chosen?.when.words ?? null, date, time: isByNumber ? null : hour };
}

/** The words with the day or hour that they name, if any, as they are `read` in their message. */
function datedPart({ words, said }: MessageWords, { timezone }: Calendar, read = words): DatedPart[] {
  const when = findWhen(read, said.pack.code, said.sentAt, timezone);
  return when ? [{ text: words, said, when }] : [];
}

/** A claimed day, unless it is years away. */
function dropFarDay(claimed: string | null, said: Utterance, calendar: Calendar): string | null {
  return claimed && Math.abs(daysAhead(said, claimed, calendar)) <= FARTHEST_DAYS ? claimed : null;
}

/** An hour alone is on the day that another message names, or else on that of its message. */
function addDayToHour([quoted]: DatedPart[], withDay: DatedPart[]): DatedPart | undefined {
  return quoted?.when.isHour ? (withDay[0] ?? quoted) : quoted;
}

/** Whether the words claimed, where they leave the day open, have its number or weekday, or any sentence has both. */
function isSaidByNumber(day: string, openQuote: MessageWords | null, texts: MessageWords[], calendar: Calendar): boolean {
  if (openQuote && hasDayNumber(day, openQuote, calendar)) return true;
  return texts.some(text => hasDayNumber(day, text, calendar, true));
}

/** The claimed day where one of the messages says it in just these words: a model may cite the line beside the right one. */
export function confirmDueDate(
  claim: ClaimedDate,
  utterances: readonly Utterance[],
  calendar: Calendar,
): ResolvedDueDate | undefined {
  const read = utterances.map(utterance =>
    resolveDueDate(claim, { utterances: [utterance], sentence: undefined }, calendar),
  );
  return read.find(({ words, date }) => words !== null && words === claim.words && date === claim.date);
}

/** The words that the messages have (others may be invented), and the message with most. null if too few are said. */
function findClaimedWords(claimed: string, utterances: readonly Utterance[]): MessageWords | null {
  const claims = utterances.map(said => {
    const known = new Set(said.sentences.flatMap(({ text }) => toWords(fold(text, said.pack.code))));
    const all = toWords(fold(claimed, said.pack.code));
    return { said, all, kept: all.filter(word => known.has(word)) };
  });
  const best = claims.reduce((one, other) => (other.kept.length > one.kept.length ? other : one));
  if (best.kept.length === 0 || best.kept.length < MIN_SHARE_FOUND * best.all.length) return null;
  const known = new Set(claims.flatMap(({ kept }) => kept));
  const words = best.all.every(word => known.has(word)) ? claimed : best.all.filter(word => known.has(word)).join(' ');
  return { words, said: best.said };
}

/** Whether words can mean this day as well as the one that was counted. */
function isOpenTo(claimed: string, { text, said, when }: DatedPart, { timezone, today, days }: Calendar): boolean {
  if (claimed === when.date) return true;
  if (when.isHour) return false;
  const [day, other] = [Temporal.PlainDate.from(claimed), Temporal.PlainDate.from(when.date)];
  const saidOn = localDay(said.sentAt, timezone);
  const [first, last] = findPeriodDays(foldInPlace(text), said.pack.code, other)?.map(String) ?? [];
  if (first && last) return claimed >= saidOn && claimed >= first && claimed <= last;
  // "Wednesday's lesson is cancelled", said on that Wednesday.
  if (day.until(other).days === 7 && claimed === saidOn) return true;
  // "Friday", where they had spoken of "Friday the 20th".
  if (day.dayOfWeek === other.dayOfWeek && claimed > when.date && days?.has(claimed)) return true;
  if (day.since(other).days !== 7) return false;
  // A Friday that was over before the day ended was not the one meant, and "Sunday in a week" is not the next one.
  return when.date < today || dayNames(said.pack.code).week.test(foldInPlace(text).replace(foldInPlace(when.words), ' '));
}

/** Words without what only looks like a day in their message: "sat", where someone sat down. */
function restoreContext({ words, said }: MessageWords): string {
  const found = said.sentences.flatMap(({ text }) => {
    const at = foldInPlace(text).indexOf(foldInPlace(words));
    return at < 0 ? [] : withoutLookalikes(text, said.pack.code).slice(at, at + words.length);
  });
  return found.find(one => foldInPlace(one) === foldInPlace(words)) ?? found[0] ?? words;
}

/** Whether words have the number of that day, or its weekday as it is cut short, or both of them: "la veille, vendredi 20". */
function hasDayNumber(claimed: string, { words, said }: MessageWords, calendar: Calendar, both = false): boolean {
  const ahead = daysAhead(said, claimed, calendar);
  if (ahead < 0 || ahead > MAX_DAY_OF_MONTH) return false;
  const [weekday] = dayMeanings(claimed);
  const typed = findTypedDays(restoreContext({ words, said }), said.pack.code);
  const isWeekday = typed.some(({ meanings }) => weekday && meanings.has(weekday));
  const day = Number(claimed.slice(8));
  const isNumber =
    words.search(numberPattern(day)) >= 0 && said.sentences.some(({ text }) => namesDayOfMonth(text, said.pack, day));
  return both ? isWeekday && isNumber : (isWeekday && ahead <= 7) || isNumber;
}

/** Characters between a number and the weekday or month that it belongs to. */
const MAX_GAP = 8;
const NEXT_WORD = /^[ -](\p{L}{3,40})/u;
/** "12kg", "30k", "3号间", but "28ine" and "12号" are days. */
const COUNTED =
  /^ ?(?:[€$£₽]|(?:k|[ckm]?m|kg|g|h|l|ml|x|am|pm)(?!\p{L}))|^(?![日号號])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const numberPattern = (day: number) => new RegExp(`(?<![\\d.,:/])0?${day}(?![\\d:/%]|[.,]\\d)`, 'g');

/** Whether a text names a day (1 to 31) by its number, as far as this counts nothing: it does in "12 boxes". */
export function namesDayOfMonth(text: string, pack: Pack, day: number): boolean {
  const names = dayNames(pack.code);
  const { by, before, number: numbered } = names.said;
  const days = findTypedDays(text, pack.code);
  const mayFollow = (word: string) =>
    pack.stopwords.size === 0 || pack.stopwords.has(fold(word, pack.code)) || findMonth(foldInPlace(word), names) !== null;
  return [...text.matchAll(numberPattern(day))].some(({ 0: digits, index }) => {
    const [start, rest] = [foldInPlace(text.slice(0, index)), text.slice(index + digits.length)];
    const isBeside = days.some(
      named => index - MAX_GAP < named.index + named.word.length && named.index < index + digits.length + MAX_GAP,
    );
    const isNamed =
      [by, before].some(word => word.test(start)) || numbered.test(foldInPlace(text.slice(Math.max(0, index - MAX_GAP))));
    const next = NEXT_WORD.exec(rest)?.[1];
    return isBeside || isNamed || (!COUNTED.test(rest) && (next === undefined || mayFollow(next)));
  });
}

function daysAhead({ sentAt }: Utterance, day: string, { timezone }: Calendar): number {
  return countDaysBetween(Temporal.PlainDate.from(localDay(sentAt, timezone)), Temporal.PlainDate.from(day));
}

/** The first and last day of the weekend, week or month of a day, where words name it so. */
function findPeriodDays(words: string, language: string, day: Temporal.PlainDate) {
  const { weekdays, said, thisWeek, nextWeek, thisMonth, nextMonth } = dayNames(language);
  const named = (...patterns: RegExp[]) => patterns.some(pattern => pattern.test(words));
  const sunday = day.add({ days: 7 - day.dayOfWeek });
  if (named(said.weekend)) return [sunday.subtract({ days: 1 }), sunday];
  const isWeek = named(thisWeek, nextWeek, said.nextWeek);
  // "Monday next week" is a day.
  if ((!isWeek && !named(thisMonth, nextMonth)) || named(...weekdays)) return null;
  return isWeek ? [sunday.subtract({ days: 6 }), sunday] : [day.with({ day: 1 }), day.with({ day: day.daysInMonth })];
}

/**
 * The first and last day of the period that words of any language name; null where they name a day, too.
 * @param day YYYY-MM-DD, as both days returned
 */
export function findPeriod(words: string, day: string): [first: string, last: string] | null {
  // "下周三" is a day.
  if (JOINED.test(words) && words.length > 2) return null;
  const said = foldInPlace(words);
  const date = Temporal.PlainDate.from(day);
  for (const language of LANGUAGES) {
    const [first, last] = findPeriodDays(said, language, date) ?? [];
    if (first && last) return [first.toString(), last.toString()];
  }
  return null;
}

/** The one hour of a message that says little else, where another names the day. */
function findLoneHour(named: DatedPart[], utterances: readonly Utterance[]): string | null {
  const dated = new Set(named.filter(({ when }) => !when.isHour).map(({ said }) => said));
  const hours = utterances.flatMap(said => {
    const words = said.sentences.flatMap(sentence => sentence.words);
    if (dated.has(said) || words.length > MAX_WORDS_BESIDE_HOUR) return [];
    return said.sentences.flatMap(({ text }) => findHour(text, said.pack.code) ?? []);
  });
  return new Set(hours).size === 1 ? (hours[0] ?? null) : null;
}
