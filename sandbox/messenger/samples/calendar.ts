import { Temporal } from 'temporal-polyfill';

/** The time zone of the story: its times of day are local to it, whatever zone this computer is in. */
export const STORY_ZONE = 'Europe/Berlin';
const SATURDAY = 6;
const DAYS_IN_WEEK = 7;
const FORMS = {
  weekday: { weekday: 'long' },
  lower: { weekday: 'long' },
  short: { weekday: 'short' },
  date: { day: 'numeric', month: 'long' },
  digits: { day: 'numeric', month: 'numeric' },
} as const;
const DAY = /\{(weekday|lower|short|date|digits) ([+-]\d+) ([a-z]{2})\}/g;

/**
 * The last day of the story: the day of `now`, or the day before while a message of that day would still be to come.
 * @param moments the `at` of every message, without those of days to come
 */
export function lastDayOf(moments: string[], now: Date): Temporal.PlainDate {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(STORY_ZONE).toPlainDate();
  const isOver = moments.every(at => secondsOf(at, today) + 60 <= now.getTime() / 1000);
  return isOver ? today : today.subtract({ days: 1 });
}

/** Unix seconds at the start of the minute. */
export function secondsOf(at: string, lastDay: Temporal.PlainDate): number {
  const [days = '', time = ''] = at.split(' ');
  const day = lastDay.add({ days: Number(days) });
  return day.toZonedDateTime({ timeZone: STORY_ZONE, plainTime: time }).epochMilliseconds / 1000;
}

/** How many days after the last day of the story; 0 for that day and all before. */
export function dayToCome(at: string): number {
  return Math.max(0, Number(at.split(' ')[0]));
}

/**
 * Writes the days a text names: `{weekday +2 en}` as Friday, `{date +2 de}` as 14. November. In a hurry people type
 * `{lower +2 en}` (friday), `{short +2 en}` (fri) or `{digits +2 de}` (14.11.).
 */
export function withDays(text: string, lastDay: Temporal.PlainDate): string {
  return text.replace(DAY, (_, form: keyof typeof FORMS, days: string, language: string) => {
    const day = workingDay(lastDay.add({ days: Number(days) }), Number(days) > 0 ? 1 : -1);
    const locale = language === 'en' ? 'en-GB' : language;
    const words = day.toLocaleString(locale, FORMS[form]);
    return form === 'lower' || form === 'short' ? words.toLocaleLowerCase(locale) : words;
  });
}

/** The story's deadlines never fall on a Sunday. */
function workingDay(day: Temporal.PlainDate, direction: 1 | -1): Temporal.PlainDate {
  if (day.dayOfWeek < SATURDAY) return day;
  const days = direction === 1 ? DAYS_IN_WEEK + 1 - day.dayOfWeek : SATURDAY - 1 - day.dayOfWeek;
  return day.add({ days });
}
