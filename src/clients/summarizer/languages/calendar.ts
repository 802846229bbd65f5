import { z } from 'zod';
import { byWord, cues, words } from './cues.ts';

const trait = z.boolean().default(false);

/** How dates are written, beyond their words. */
export const dates = z
  .strictObject({
    /** Its days have the words that `plainDays.ts` reads. */
    hasPlainDays: trait,
    /** A number names a day only with a month, a unit or an ending. */
    numbersNeedUnits: trait,
    /** They have slashes, in some places the month first; "10.11" is an hour or an amount. */
    haveSlashes: trait,
    /** A small number right after a day is an hour: "Friday 5". */
    hourAfterDay: trait,
    /** Right behind a number, makes it an hour: "am", "Uhr". */
    hourMarks: words.default([]),
    /** The same, if "at" and the like stand before it: "часов". */
    hourUnits: words.default([]),
    /** Of both, what says which half of the day it is. */
    morningMarks: words.default([]),
    afternoonMarks: words.default([]),
    /** What stands right behind an hour when it is "at" that hour or "by" it: "10'da". */
    hourEndings: words.default([]),
    /** Where no spaces are between words: "午後3時半". */
    clock: z
      .strictObject({
        /** Parts of the day, in front of the hour. */
        parts: words,
        /** What names a day together with the letter behind it. */
        days: words.default([]),
        /** Behind the hour, the minutes, and behind the hour for thirty minutes. */
        hour: words,
        minute: words,
        half: words,
        /** Behind the sign of an hour, makes it a number of hours or something else. */
        notHour: words,
        /** Numbers up to ten in words; an hour in words needs a part of the day or a day before it. */
        numbers: byWord,
      })
      .nullable()
      .default(null),
  })
  .prefault({});

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
  /** Before or after a month, means its last day: "fin novembre". */
  endOf: cues.default([]),
  /** Seven, Monday first. */
  weekdays: z.array(cues).length(7),
  /** Twelve, January first, in the form that follows the number of the day; empty where the date library knows them. */
  months: z.array(cues),
  /** A word before a date that is part of its words, such as "by". */
  before: cues,
  /** The same after a date, such as the Turkish "kadar". */
  after: cues,
  /** A word before a day that is already too late: "before Friday" means Thursday. */
  notOn: cues,
  /** A word before an hour: "at", "um". */
  at: cues,
  /** The same, where only an hour can follow: "alle", "às". */
  clock: cues.default([]),
  /** Next to an hour up to eleven, puts it in the second half of the day: "del pomeriggio". */
  afternoon: cues.default([]),
  /** Twelve o'clock, where it has a name. */
  noon: cues.default([]),
  /** "Or", between two days that are offered. */
  either: cues.default([]),
  /** Behind a number, says that it counts something and is no hour. */
  counted: cues.default([]),
  /** Begins a day by which something is to be done: "by Friday", not "on Friday". */
  deadline: cues.default([]),
  /** "By then": means a day that was named before. */
  byThen: cues.default([]),
  /** Behind an hour, says that it is one of another time zone. */
  zone: cues.default([]),
  /** Words that sound like a day but name none to come: "every Friday", "last Monday", "segunda via". */
  notDays: cues.default([]),
  /** A day of the month by its number, written as `#`: "the #th", "dia #". */
  dayOfMonth: cues.default([]),
  /** The word for a week, in all its forms. */
  week: cues.default([]),
  /** "In three days", where the date library doesn't know it; the number is `#` or a word. */
  inTime: z.strictObject({ day: cues, week: cues, month: cues }).default({ day: [], week: [], month: [] }),
});
