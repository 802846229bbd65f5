import { Temporal } from 'temporal-polyfill';
import { saysNot } from '../languages/words.ts';
import { parseByLibrary } from './byLibrary.ts';
import { countDaysBetween, withoutLookalikes } from './calendar.ts';
import { findWrittenHour, isInOtherZone } from './hours.ts';
import * as named from './namedDays.ts';
import { dayNames, foldInPlace } from './names.ts';

/** A named day, YYYY-MM-DD, with the hour (HH:MM) if said. `isHour`: only that was said; the day is the message's. */
export type When = { date: string; time: string | null; words: string; hourWords?: string; isHour?: boolean };

/** Characters. The library's time grows faster than the text, and no sentence that names a day is longer. */
export const MAX_READ_LENGTH = 300;
const DAYS_AHEAD = 400;

/**
 * The day and hour that a message said at `saidAt` names, in the calendar of `timezone` (IANA); null when neither is
 * named, or only a day that is over. A period is its last day, as `namedDays.ts` says; a weekday is the next one, "before
 * Friday" is Thursday, and "after Friday" names none. The words are those of the date library, of Intl and of
 * `languages/words.json`.
 * @param language ISO 639-1, or 'und'
 * @param daysBack how long a day may be over: "last Wednesday"
 */
export function findWhen(text: string, language: string, saidAt: Date, timezone: string, daysBack = 0): When | null {
  const written = withoutLookalikes(text.slice(0, MAX_READ_LENGTH), language);
  const now = Temporal.Instant.fromEpochMilliseconds(saidAt.getTime()).toZonedDateTimeISO(timezone);
  const read = { text: foldInPlace(written), names: dayNames(language), today: now.toPlainDate(), timezone };
  const library = parseByLibrary(read, language);
  const weekday = library.day ?? named.findWeekday(read) ?? named.findShortWeekday(read, written, language);
  const numbered = named.findNumberedWeekday(read, weekday);
  const near = named.findNearDay(read);
  const other = named.findWeekend(read) ?? library.day ?? near ?? weekday;
  const dated = library.date ?? named.findNumericDate(read) ?? named.findMonthDay(read);
  // "The invoice of 3 November I pay tomorrow"; a weekday may be of that date.
  const isOver = dated && countDaysBetween(read.today, dated.day) < -daysBack;
  const found =
    named.findPeriodEnd(read, library.day) ??
    // "Pasado mañana", of which the library reads the second word alone.
    named.findNearDay(read, 2) ??
    (isOver && near ? near : dated) ??
    numbered ??
    // "The 25th works better than Friday"
    named.findOrdinal(read, other && isLeftOpen(read, other) ? null : other, language) ??
    other ??
    library.partOfToday;
  // The library takes the number of "Friday 13" for an hour.
  const ofLibrary = numbered && found === numbered ? null : library.hour;
  const hour = isInOtherZone(read, written, now) ? null : (findWrittenHour(read) ?? ofLibrary);
  const wordsOf = ({ index, length }: { index: number; length: number }) => written.slice(index, index + length);
  if (found) {
    const day = resolveRelativeDay(read, found, found === weekday);
    const ahead = day && countDaysBetween(read.today, day);
    if (ahead === null || ahead < -daysBack || ahead > DAYS_AHEAD) return null;
    const words = { words: wordsOf(found), ...(hour && { hourWords: wordsOf(hour) }) };
    return { date: String(day), time: hour?.time ?? null, ...words };
  }
  const isPast = hour && Temporal.PlainTime.compare(hour.time, now.toPlainTime()) <= 0;
  if (!hour || isPast || read.names.said.dayBefore.test(read.text)) return null;
  return { date: read.today.toString(), time: hour.time, words: wordsOf(hour), isHour: true };
}

/** Whether the day is only compared with: "after Friday", "better than Friday". */
const isLeftOpen = ({ text, names }: named.DateText, { index }: named.FoundDay) =>
  names.said.after.test(text.slice(0, index));

/** The day found, the one before it, or "next Friday", that of the next week; null for an open one and "a day before". */
function resolveRelativeDay(read: named.DateText, found: named.FoundDay, isWeekday: boolean): Temporal.PlainDate | null {
  const { text, today, names } = read;
  const start = text.slice(0, found.index);
  const [first = ''] = /^(?:\p{L}{1,2} )?\p{L}+ /u.exec(text.slice(found.index, found.index + found.length)) ?? [];
  const relative = names.said.dayBefore.exec(text);
  const isBefore =
    relative && named.measureGap(found, { index: relative.index, length: relative[0].length }) <= named.MAX_GAP;
  if (isLeftOpen(read, found) || (relative && !isBefore)) return null;
  if (isBefore) return found.day.subtract({ days: 1 });
  if (isWeekday && names.said.next.test(start + first))
    return today.add({ days: 7 - today.dayOfWeek + found.day.dayOfWeek });
  // "I can't do it before Monday"
  const isNot = saysNot(/(?:[^\s,.;:!?]+\s){0,5}$/u.exec(start)?.[0] ?? '', 'und');
  return names.said.before.test(start) && !isNot ? found.day.subtract({ days: 1 }) : found.day;
}

/** Whether a text names its day by another: "a day before". */
export function namesDayByAnother(text: string, language: string): boolean {
  return dayNames(language).said.dayBefore.test(foldInPlace(text.slice(0, MAX_READ_LENGTH)));
}

/** Whether words follow one that makes a day a deadline: "by Monday". */
export function isDeadline(text: string, words: string, language: string): boolean {
  const { by, before } = dayNames(language).said;
  const read = foldInPlace(text);
  const at = read.indexOf(foldInPlace(words));
  const start = `${read.slice(0, Math.max(0, at)).trimEnd()} `;
  return by.test(start) || before.test(start) || by.test(`${foldInPlace(words).split(' ')[0]} `);
}

const ASKS =
  /[?？؟]|(?<!\p{L})(?:send|give|bring|share) (?:me|us|it)|(?<!\p{L})(?:your|ur|deine?[nrms]?)(?!\p{L})|(?<!\p{L})(?:please|pls|bitte|por favor|svp|s'il|пожалуйста|будь ласка|prosze|per favore)(?!\p{L})/u;

/** Whose task a text makes of what its speaker needs: their own in "I need to send it", but not in "I need your bio". */
export function findNeed(text: string, language: string): 'own' | 'other' | null {
  const needs = new RegExp(dayNames(language).said.needs, 'gu');
  const read = foldInPlace(text.slice(0, MAX_READ_LENGTH));
  const found = [...read.matchAll(needs)];
  if (found.some(([, task]) => !task)) return 'other';
  // "Send me the plan, I need to finish it by Friday" asks for something.
  const isFirst = /^(?:\P{L}*\p{L}+(?!\p{L})){0,3}\P{L}*$/u.test(read.slice(0, found[0]?.index));
  return found.length > 0 && isFirst && !ASKS.test(read) ? 'own' : null;
}

/** HH:MM, of the first hour that a text names. */
export function findHour(text: string, language: string): string | null {
  const read = foldInPlace(text.normalize('NFC').slice(0, MAX_READ_LENGTH));
  if (!/\d/.test(read)) return null;
  const today = Temporal.PlainDate.from('2026-01-05');
  const about = { text: read, names: dayNames(language), today, timezone: 'UTC' };
  return (findWrittenHour(about) ?? parseByLibrary(about, language).hour)?.time ?? null;
}
