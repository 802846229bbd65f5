import { z } from 'zod';
import { cues } from './cues.ts';

/** How days, weeks, months and hours are named. */
export const calendar = z.strictObject({
  today: cues,
  /** A part of the day, which is today's where no other day is named: "in the afternoon". */
  laterToday: cues.default([]),
  tomorrow: cues,
  dayAfterTomorrow: cues,
  weekend: cues,
  endOfWeek: cues,
  nextWeek: cues,
  endOfMonth: cues,
  nextMonth: cues,
  /** Before or behind a month it means its last day: "fin novembre". */
  endOf: cues.default([]),
  /** Seven, Monday first. */
  weekdays: z.array(cues).length(7),
  /** "On Monday", as it stands in a sentence, Monday first; empty where the bare word may stand there. */
  on: z.array(z.string()).default([]),
  /** Twelve, January first, as they stand behind the number of the day; empty where the date library knows them. */
  months: z.array(cues),
  /** What stands before a date and belongs to what was said, such as "by". */
  before: cues,
  /** The same behind it, such as the Turkish "kadar". */
  after: cues,
  /** Stands before a day that is already too late: "before Friday" is Thursday. */
  notOn: cues,
  /** Stands before an hour: "at", "um". */
  at: cues,
  /** The same, where nothing but an hour can follow: "alle", "às". */
  clock: cues.default([]),
  /** Beside an hour up to eleven it makes one of the second half of the day: "del pomeriggio". */
  afternoon: cues.default([]),
  /** Words of a day that name none: "every Friday", "last Monday", "segunda via". */
  notDays: cues.default([]),
  /** A day of the month by its number, which stands as `#`: "the #th", "dia #". */
  dayOfMonth: cues.default([]),
  /** The word for a week, in all its forms. */
  week: cues.default([]),
  /** "In three days", where the date library doesn't know it; the number is `#` or a word. */
  inTime: z.strictObject({ day: cues, week: cues, month: cues }).default({ day: [], week: [], month: [] }),
});
