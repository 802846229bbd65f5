import type { Temporal } from 'temporal-polyfill';
import { oncePer } from '../../../lib/once.ts';
import { stopwordsOf } from '../languages/stopwords.ts';
import { countDaysBetween, findTypedDays, nextDayOfMonth, nextWeekday, toDate } from './calendar.ts';
import { type DayNames, findMonth } from './names.ts';

/*
 * The ways to name a day, each with its words from Intl and `languages/words.json`. Each finds the first such day of a text.
 */

export type FoundDay = { day: Temporal.PlainDate; index: number; length: number; isWeekday?: boolean };
export type DateText = { text: string; names: DayNames; today: Temporal.PlainDate; timezone: string };

/** A day of the month as a number, right after the weekday. */
export const NUMBER_OF_DAY = /^[.,]?\s?(?:[12]?\d|3[01])(?!\d)/;

function foundAt(match: RegExpExecArray, day: Temporal.PlainDate): FoundDay {
  return { day, index: match.index, length: match[0].length };
}

/** The day meant by “this week”: its Friday. Said on a Friday, the weekend is left, so its Sunday; on a weekend, the next Friday. */
function endOfWeek(today: Temporal.PlainDate): Temporal.PlainDate {
  const { dayOfWeek } = today;
  if (dayOfWeek > 5) return today.add({ days: 12 - dayOfWeek });
  return today.add({ days: (dayOfWeek < 5 ? 5 : 7) - dayOfWeek });
}

const endOfMonth = (day: Temporal.PlainDate) => day.with({ day: day.daysInMonth });

export function findPeriodEnd(read: DateText, other: FoundDay | null): FoundDay | null {
  const { text, names, today } = read;
  const { said } = names;
  const friday = () => today.add({ days: 12 - today.dayOfWeek });
  const periods: [RegExp, () => Temporal.PlainDate][] = [
    [names.nextWeek, friday],
    [said.nextWeek, friday],
    [names.nextMonth, () => endOfMonth(today.add({ months: 1 }))],
    [said.endOfWeek, () => endOfWeek(today)],
    [names.thisWeek, () => endOfWeek(today)],
    [said.endOfMonth, () => endOfMonth(today)],
    [names.thisMonth, () => endOfMonth(today)],
  ];
  for (const [pattern, day] of periods) {
    const match = pattern.exec(text);
    if (!match) continue;
    const isNextWeek = pattern === names.nextWeek || pattern === said.nextWeek;
    const weekday = findWeekday(read) ?? (other?.isWeekday ? other : null);
    // "Tomorrow, this week is full" is tomorrow.
    if (!weekday && (isNextWeek || !other)) return foundAt(match, day());
    // "Monday next week" is the Monday of that week.
    if (weekday && isNextWeek) return { ...weekday, day: today.add({ days: 7 - today.dayOfWeek + weekday.day.dayOfWeek }) };
  }
  return null;
}

const ORDINAL = /(?<![\p{L}\p{N}.,:/])([12]?\d|3[01])(?:st|nd|rd|th)(?![\p{L}\p{N}])/u;
/** "The 1st draft", but not "on the 1st please" or "am 20. komme ich". */
const OF_THING = /(?<!(?<!\p{L})(?:on|by|am|zum|bis) (?:the )?)(?<![\p{N}.,:/])\d{1,2}(?:st|nd|rd|th|\.) (\p{L}{3,40})/u;

/** "The 20th", "dia 20": the next such day. In "the 1st draft tomorrow" it is a thing's, and the other day is meant. */
export function findOrdinal({ text, names, today }: DateText, other: FoundDay | null, language: string): FoundDay | null {
  const match = ORDINAL.exec(text) ?? names.numbered.exec(text) ?? names.said.number.exec(text);
  const day = match && nextDayOfMonth(today, Number(match[1] ?? match[2]));
  if (!match || !day) return null;
  const [, thing] = OF_THING.exec(text) ?? [];
  const isOfOther = other?.day.dayOfWeek === day.dayOfWeek;
  return other && !isOfOther && thing && !stopwordsOf(language).has(thing) ? null : foundAt(match, day);
}

/** The coming Sunday; on a Sunday, the same day. */
export function findWeekend({ text, names, today }: DateText): FoundDay | null {
  const match = names.said.weekend.exec(text);
  return match && foundAt(match, today.add({ days: 7 - today.dayOfWeek }));
}

const NUMBER = /(?<![\p{L}\p{N}.,:/-])(\d{1,2})(?![\p{L}\p{N}:/%€$£]|[.,]\d)/gu;
/** Characters between a weekday and the number of its day. */
export const MAX_GAP = 8;

export function measureGap(first: Omit<FoundDay, 'day'>, second: Omit<FoundDay, 'day'>): number {
  return first.index < second.index ? second.index - first.index - first.length : first.index - second.index - second.length;
}

/** A day farther ahead is named with its month, so the 8 of "Tuesday 8" is an hour then. */
const MAX_NUMBERED_DAYS_AHEAD = 16;

/** "Friday 13": a number near the name of the weekday on which that day of the month is. */
export function findNumberedWeekday(read: DateText, named: FoundDay | null): FoundDay | null {
  // The number behind "tomorrow before" is an hour.
  if (!named || findNearDay({ ...read, text: read.text.slice(named.index, named.index + named.length) })) return null;
  for (const match of read.text.matchAll(NUMBER)) {
    const gap = measureGap(named, { index: match.index, length: match[0].length });
    const day = gap <= MAX_GAP ? nextDayOfMonth(read.today, Number(match[1])) : null;
    if (day?.dayOfWeek === named.day.dayOfWeek && countDaysBetween(read.today, day) <= MAX_NUMBERED_DAYS_AHEAD)
      return { ...named, day };
  }
  return null;
}

const NUMERIC = /(?<![\p{N}.,/:-])(\d{1,2})([./-])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{2}))?\.?(?![\p{N}%:]|[.,/-]\d)/gu;
/** By the name in lower case: in the zones of the United States and Canada, people write the month first. */
const isMonthFirstIn = oncePer((timezone: string) => {
  const zones = ['en-US', 'en-CA'].flatMap(code => new Intl.Locale(code).getTimeZones?.() ?? []);
  return zones.includes(new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone);
});

/** Dates in the language's own format: 20.11., 20/11, 11/20. "10.30", "3.5" and "24/7" are none. */
export function findNumericDate({ text, names, today, timezone }: DateText): FoundDay | null {
  for (const match of text.matchAll(NUMERIC)) {
    const [words, first = '', mark = '', second = '', year = ''] = match;
    const isWhole = year !== '' || (mark === names.separator && (mark === '/' || /\.$|\.\d\d$/.test(words)));
    if (!isWhole || (year === '' && first === '24' && second === '7')) continue;
    const isMonthFirst =
      (Number(second) > 12 && (year !== '' || mark === '/')) ||
      (mark === '/' && Number(first) <= 12 && names.isMonthFirst && isMonthFirstIn(timezone.toLowerCase()));
    const [day, month] = isMonthFirst ? [Number(second), Number(first)] : [Number(first), Number(second)];
    const found = toDate(today, { year: year ? Number(year.slice(-2)) + 2000 : null, month, day });
    if (found) return foundAt(match, found);
  }
  return null;
}

/** "20 November", "20 de noviembre"; "November 20". */
const DAY_MONTH = /(?<!\d)(\d{1,2})\p{L}{0,2}\.?\s{1,2}(?:(\p{L}{1,3})\s)?(\p{L}{2,20})/gu;
const MONTH_DAY = /(?<!\p{L})(\p{L}{2,20})\s(\d{1,2})(?!\d)/gu;

export function findMonthDay({ text, names, today }: DateText): FoundDay | null {
  if (!/\d/.test(text)) return null;
  const behind = [...text.matchAll(DAY_MONTH)].map(match => ({ match, day: match[1], words: [match[2], match[3]] }));
  const before = [...text.matchAll(MONTH_DAY)].map(match => ({ match, day: match[2], words: [match[1]] }));
  for (const { match, day, words } of [...behind, ...before])
    for (const word of words) {
      const month = word ? findMonth(word, names) : null;
      const found = month && toDate(today, { year: null, month, day: Number(day) });
      if (found) return foundAt(match, found);
    }
  return null;
}

/** A day near the present one: "tomorrow". With `only`, one that is exactly so many days ahead. */
export function findNearDay({ text, names, today }: DateText, only?: number): FoundDay | null {
  for (const { pattern, days } of names.near) {
    const match = only === undefined || days === only ? pattern.exec(text) : null;
    if (match) return foundAt(match, today.add({ days }));
  }
  return null;
}

/** "wt 24", "чт 16:00": cut short, only with a number. */
export function findShortWeekday({ today }: DateText, written: string, language: string): FoundDay | null {
  for (const { word, index, meanings } of findTypedDays(written, language)) {
    const [named] = [...meanings].filter(meaning => meaning.startsWith('weekday'));
    if (!named || !NUMBER_OF_DAY.test(written.slice(index + word.length))) continue;
    return { day: nextWeekday(today, Number(named.split(' ')[1])), index, length: word.length };
  }
  return null;
}

/** The first weekday of a text. Of several names at one place, the longest counts: "Cumartesi" begins like "Cuma". */
export function findWeekday({ text, names, today }: DateText): FoundDay | null {
  const matches = names.weekdays.flatMap((pattern, index) => {
    const match = pattern.exec(text);
    return match ? [{ match, index, size: pattern.source.length }] : [];
  });
  const [best] = matches.toSorted((a, b) => a.match.index - b.match.index || b.size - a.size);
  return best ? foundAt(best.match, nextWeekday(today, best.index + 1)) : null;
}
