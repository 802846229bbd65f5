import { Temporal } from 'temporal-polyfill';
import { oncePer } from './once.ts';

/** True for IANA zone names this Node knows. Offsets such as `+01:00`, which Intl takes too, are no zone names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    localDay(new Date(), name);
    return true;
  } catch {
    return false;
  }
}

/** The calendar day at `moment` in `timezone`, as YYYY-MM-DD. Throws RangeError for an unknown zone. */
export const localDay = (moment: Date, timezone: string): string => dayFormatOf(timezone.toLowerCase()).format(moment);

/** Making one costs far more than using it. By the lower-case name: there are some 600, but many thousand spellings. */
const dayFormatOf = oncePer(
  (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);

/** The zone of the region where a language is spoken, where all of that region has the same time: `de` is Europe/Berlin. */
export function findLanguageZone(tag: string, now: Date): string | undefined {
  const zones = zonesOfRegion(tag);
  const times = new Set(zones.map(zone => now.toLocaleString('en', { timeZone: zone })));
  return times.size === 1 ? zones[0] : undefined;
}

function zonesOfRegion(tag: string): string[] {
  try {
    return new Intl.Locale(tag).maximize().getTimeZones?.() ?? [];
  } catch {
    return [];
  }
}

export type DailyRun = {
  at: Date;
  /** The calendar day the run belongs to, YYYY-MM-DD; a time that this day lacks can fall on the next day. */
  day: string;
};

const MAX_SEARCH_DAYS = 5;

/**
 * The first run after `after` of what happens daily at `time` (HH:MM) in `timezone`. A time that a clock change skips
 * runs at the next minute there is, one that occurs twice at its first; a day the zone never had has no run.
 * Throws RangeError for an unknown zone.
 */
export function findNextRun(after: Date, { time, timezone }: { time: string; timezone: string }): DailyRun {
  let day = Temporal.PlainDate.from(localDay(after, timezone));
  for (let tried = 0; tried < MAX_SEARCH_DAYS; tried++) {
    const at = findRunOn(day, Temporal.PlainTime.from(time), timezone);
    if (at && at > after) return { at, day: day.toString() };
    day = day.add({ days: 1 });
  }
  throw new RangeError(`no ${time} in ${timezone}`);
}

/** A weekly moment: on a day of the week (ISO 8601: Monday is 1) at `time` (HH:MM) in `timezone`. */
export type Weekly = { weekday: number; time: string; timezone: string };

/** Run on the zone's current day, as in {@link findNextRun}; undefined on other weekdays. */
export function findTodaysRun(now: Date, { weekday, time, timezone }: Weekly): DailyRun | undefined {
  const day = Temporal.PlainDate.from(localDay(now, timezone));
  const at = day.dayOfWeek === weekday ? findRunOn(day, Temporal.PlainTime.from(time), timezone) : undefined;
  return at && { at, day: day.toString() };
}

/** The first run after `after`, by the same rules. Throws RangeError for an unknown zone. */
export function findNextWeeklyRun(after: Date, { weekday, ...daily }: Weekly): DailyRun {
  let run = findNextRun(after, daily);
  while (Temporal.PlainDate.from(run.day).dayOfWeek !== weekday) run = findNextRun(run.at, daily);
  return run;
}

function findRunOn(day: Temporal.PlainDate, time: Temporal.PlainTime, timezone: string): Date | undefined {
  const plain = day.toPlainDateTime(time);
  const first = plain.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(plain)) return new Date(first.epochMilliseconds);
  // "earlier" precedes the gap by its length, so the next clock change is its end.
  const end = first.getTimeZoneTransition('next');
  if (!end) return undefined;
  const begin = end.subtract({ nanoseconds: 1 });
  const isDayOf = (moment: Temporal.ZonedDateTime) => moment.toPlainDate().equals(day);
  return isDayOf(begin) || isDayOf(end) ? new Date(end.epochMilliseconds) : undefined;
}

/** The moment a calendar day begins in `timezone`, even where a clock change skips midnight. @param day YYYY-MM-DD */
export function startOfDay(day: string, timezone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds);
}

/** The moment of a day and hour (YYYY-MM-DD, HH:MM) in `timezone`; an hour that a clock change skips is the one after it. */
export function momentAt(day: string, time: string, timezone: string): Date {
  const plain = Temporal.PlainDate.from(day).toPlainDateTime(Temporal.PlainTime.from(time));
  return new Date(plain.toZonedDateTime(timezone).epochMilliseconds);
}

const DAY_MS = 86_400_000;

/** The calendar day `days` days after this one; before it when negative. @param day YYYY-MM-DD */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The Monday that the week of a day begins with. @param day YYYY-MM-DD */
export const mondayOf = (day: string): string => subtractDays(day, Temporal.PlainDate.from(day).dayOfWeek - 1);

/** The Sunday that the week of a day ends with. @param day YYYY-MM-DD */
export const sundayOf = (day: string): string => addDays(mondayOf(day), 6);

/** @param day YYYY-MM-DD */
export const isOnWeekend = (day: string): boolean => Temporal.PlainDate.from(day).dayOfWeek >= SATURDAY;

/** The calendar day `days` days before this one. @param day YYYY-MM-DD */
export const subtractDays = (day: string, days: number): string => addDays(day, -days);

const SATURDAY = 6;

/**
 * The moment `days` working days before `moment`, Monday to Friday in `timezone`, at the same time of day: Friday 17:00
 * is one before Monday 17:00. A weekend counts as the end of its Friday.
 */
export function subtractWorkingDays(moment: Date, days: number, timezone: string): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone);
  const isWeekend = zoned.dayOfWeek >= SATURDAY;
  const time = isWeekend ? new Temporal.PlainTime() : zoned.toPlainTime();
  let day = zoned.toPlainDate().subtract({ days: isWeekend ? zoned.dayOfWeek - SATURDAY : 0 });
  for (let left = days; left > 0; ) {
    day = day.subtract({ days: 1 });
    if (day.dayOfWeek < SATURDAY) left--;
  }
  return new Date(day.toPlainDateTime(time).toZonedDateTime(timezone).epochMilliseconds);
}
