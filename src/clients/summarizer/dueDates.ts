import * as chrono from 'chrono-node';
import { Temporal } from 'temporal-polyfill';
import { fold } from './cleaning.ts';
import { everywhere } from './languages/compile.ts';
import type { Calendar, Lexicon } from './languages/lexicon.ts';
import { daysBetween, type FoundDay, numberedDay } from './numberedDays.ts';
import { at, numericDate, plainDate } from './numericDates.ts';
import { plainDay } from './plainDays.ts';
import { endOfNamedMonth, inTime } from './relativeDays.ts';

/** A day someone named, YYYY-MM-DD, with the words they used. */
export type NamedDay = { date: string; words: string };

type Dates = Lexicon['dates'];

type Library = { parse: typeof chrono.parse };

const LIBRARIES: Record<string, Library> = {
  en: chrono.en.casual,
  de: chrono.de.casual,
  es: chrono.es.casual,
  fr: chrono.fr.casual,
  pt: chrono.pt.casual,
  ru: withoutBackward(chrono.ru.casual),
  uk: withoutBackward(chrono.uk.casual),
  it: chrono.it.casual,
  nl: withoutBackward(chrono.nl.casual),
  sv: chrono.sv.casual,
  ja: chrono.ja.casual,
  zh: chrono.zh.casual,
};
/**
 * Leaves out the parsers of "two weeks ago" and "two weeks later", whose patterns take seconds for a line of weeks.
 * Past days are no due dates.
 */
function withoutBackward({ parsers, refiners }: chrono.Chrono): Library {
  const kept = parsers.filter(parser => !/TimeUnit(?:Ago|Later)/.test(parser.constructor.name));
  return new chrono.Chrono({ parsers: kept, refiners });
}

/** Words that the library takes for dates even when they stand alone. */
const NO_DATE =
  /^(?:march|second|now|the (?:hours?|minutes?|days?|weeks?|months?|years?)|maintenant|jetzt|ahora|agora|сейчас|зараз|mars|août|.{1,3}[.,]?|at \d+|\d+|24\/7)$/iu;
/** Minutes and hours don't name a day. */
const IN_A_MOMENT =
  /\d\s*(?:min|sec|sek|hour|hr|stunde|hora|heure|час|годин|хвилин|минут|секунд|uur|or[ae]\b|分|時間|小时)/iu;
/** Characters. The library's time grows faster than the text, and no real sentence that names a day is longer. */
const LONGEST_READ = 600;
const LONGEST_LEAD = 60;
const NEXT_TO = 24;
const DAYS_AHEAD = 400;
/** Days. A date without a year that is this far ahead is really one from some months ago. */
const LONG_AHEAD = 240;
/** "The sensors keep 30 days", "12 weeks lead time": how long, not until when. */
const LENGTH_OF_TIME =
  /^(?:(?:for|about|around|por|de|durante) )?(?:\d|an? |half |(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|couple|few|several|dos|tres|два|две|дві|три|четыре|чотири|пять|шесть)(?= ))(?!.* (?:from now|hence)$)/u;

/**
 * The day named in a sentence said at `saidAt`, in the calendar of `timezone` (IANA); null when none is, or only one
 * that was already over. It is the last day on which what was said still holds: "before Friday" is Thursday, "this
 * week" its Friday (from Friday on its Sunday, as for a weekend), "next week" its Friday, "this month" its last day.
 */
export function findDay(text: string, lexicon: Lexicon, saidAt: Date, timezone: string): NamedDay | null {
  const moment = momentIn(timezone, saidAt);
  const key = `${lexicon.code} ${text}`;
  if (!moment.days.has(key)) moment.days.set(key, dayIn(text, lexicon, saidAt, moment));
  return moment.days.get(key) ?? null;
}

function dayIn(
  text: string,
  { code, calendar, dates }: Lexicon,
  saidAt: Date,
  { today, offsetMinutes, timezone }: Moment,
): NamedDay | null {
  const folded = withoutNoDays(fold(text.slice(0, LONGEST_READ), code), calendar);
  if (!mayNameADay(folded, dates) && !calendar.anyDay.test(folded)) return null;
  const reference = { instant: saidAt, timezone: offsetMinutes };
  const found =
    numberedDay(folded, calendar, today) ??
    inTime(folded, calendar, today) ??
    endOfNamedMonth(folded, calendar, today) ??
    ownPhrase(folded, calendar, today) ??
    numericDate(folded, dates, today, timezone) ??
    (dates.hasPlainDays ? plainDay(folded, today) : null) ??
    onItsWeekday(byLibrary(folded, LIBRARIES[code], reference, today), folded, calendar, today) ??
    ownDay(folded, calendar, today);
  const ahead = found ? daysBetween(today, found.day) : -1;
  if (!found || ahead < 0 || ahead > DAYS_AHEAD) return null;
  const words = asWritten(wordsSaid(folded, found, calendar), text);
  return { date: dayMeant(found, folded, calendar, today).toString(), words };
}

/** Replaces "every Friday" and "segunda via" with as many spaces. */
function withoutNoDays(folded: string, { notDays }: Calendar): string {
  return folded.replaceAll(everywhere(notDays), words => ' '.repeat(words.length));
}

/**
 * "Before Friday" is Thursday: on Friday it is too late. Before the end of a week or month is still in it, and before
 * ten or noon on Friday is Friday.
 */
function dayMeant({ day, index, length }: FoundDay, folded: string, calendar: Calendar, today: Temporal.PlainDate) {
  const said = folded.slice(index, index + length);
  const behind = folded.slice(index + length);
  const periods = [calendar.weekend, calendar.endOfWeek, calendar.nextWeek, calendar.endOfMonth, calendar.nextMonth];
  const { tail, notOnIt } = patternsOf(calendar);
  const isLed = notOnIt.test(folded.slice(Math.max(0, index - 20), index)) || calendar.notOn.test(said);
  const isBefore = isLed || calendar.notOn.test(tail.exec(behind)?.[0] ?? '');
  const isPeriod = day.equals(today) || periods.some(pattern => pattern.test(said));
  const isHour = WITH_HOUR.test(`${said}${behind.slice(0, NEAR_HOUR)}`) || calendar.noon.test(said);
  return isBefore && !isPeriod && !isHour ? day.subtract({ days: 1 }) : day;
}

const NEAR_HOUR = 12;
const WITH_HOUR =
  /(?<![\d.])\d{1,2}(?::\d{2}|h\d{0,2}(?!\p{L})| ?(?:am|pm|uhr|o'clock|час|годин))|(?:a las|alle|às|um|at|à) \d{1,2}(?![\d.])/u;

/** `days`: what its message's texts name. */
type Moment = {
  timezone: string;
  today: Temporal.PlainDate;
  offsetMinutes: number;
  days: Map<string, NamedDay | null>;
};

/** For as long as a message is kept: its sentences and their parts are said at the same time, and read more than once. */
const moments = new WeakMap<Date, Moment>();

function momentIn(timezone: string, saidAt: Date): Moment {
  const known = moments.get(saidAt);
  if (known?.timezone === timezone) return known;
  const now = Temporal.Instant.fromEpochMilliseconds(saidAt.getTime()).toZonedDateTimeISO(timezone);
  const moment = { timezone, today: now.toPlainDate(), offsetMinutes: now.offsetNanoseconds / 60e9, days: new Map() };
  moments.set(saidAt, moment);
  return moment;
}

/** Spares the library most sentences: a digit, or a word of a weekday, month or unit it knows. */
function mayNameADay(folded: string, { numbersNeedUnits }: Dates): boolean {
  return NAME_OF_DAY.test(folded) || (numbersNeedUnits ? NUMBER_WITH_UNIT : ANY_NUMBER).test(folded);
}

const NAME_OF_DAY =
  /(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:mon|tue|wed|thu|fri|jan|feb|apr|jun|jul|aug|sep|oct|nov|dec)|hour|week|day|month|tomorrow|tonight|morgen|woche|tag|monat|semana|mañana|amanhã|demain|semaine|mois|jour|lundi|недел|завтра|сегодня|дн|місяц|тижд|тижн|сьогодні|domani|settimana|oggi|vandaag|明|今|来|週|周|月|日/u;
const ANY_NUMBER = /\d/;
/** Any other number that names a day comes with the name of a month or a unit. */
const NUMBER_WITH_UNIT = /\d(?:[./-]\d|st\b|nd\b|rd\b|th\b)/;

/** Its Friday; on a Friday its Sunday; on a weekend, the week that is meant is the coming one. */
function endOfWeek(today: Temporal.PlainDate): Temporal.PlainDate {
  const { dayOfWeek } = today;
  if (dayOfWeek > 5) return today.add({ days: 12 - dayOfWeek });
  return today.add({ days: (dayOfWeek < 5 ? 5 : 7) - dayOfWeek });
}

/** Phrases that the library misses or understands only in part, such as "pasado mañana". */
function ownPhrase(folded: string, words: Calendar, today: Temporal.PlainDate): FoundDay | null {
  const phrases: [RegExp, () => Temporal.PlainDate][] = [
    [words.weekend, () => today.add({ days: (7 - today.dayOfWeek) % 7 || 7 })],
    [words.dayAfterTomorrow, () => today.add({ days: 2 })],
    [words.nextWeek, () => today.add({ days: 12 - today.dayOfWeek })],
    [words.nextMonth, () => endOfMonth(today.add({ months: 1 }))],
    [words.endOfWeek, () => endOfWeek(today)],
    [words.endOfMonth, () => endOfMonth(today)],
  ];
  for (const [pattern, day] of phrases) {
    const match = pattern.exec(folded);
    const named = match && pattern === words.nextWeek && weekday(folded, words, today);
    // "Monday next week" is the Monday of that week.
    if (named && Math.abs(named.index - match.index) <= NEXT_TO)
      return { ...named, day: today.add({ days: 7 - today.dayOfWeek + named.day.dayOfWeek }) };
    if (match && !words.weekdays.some(weekday => weekday.test(folded))) return at(match, day());
  }
  return null;
}

function endOfMonth(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.with({ day: day.daysInMonth });
}

function byLibrary(
  folded: string,
  library: Library | undefined,
  reference: chrono.ParsingReference & { timezone: number },
  today: Temporal.PlainDate,
): FoundDay | null {
  if (!library) return null;
  for (const found of library.parse(folded, reference, { forwardDate: true })) {
    const { text, index, start } = found;
    const isNamed = start.isCertain('day') || start.isCertain('weekday');
    if (!isNamed || NO_DATE.test(text.trim()) || IN_A_MOMENT.test(text)) continue;
    if (found.tags().has('result/relativeDate') && LENGTH_OF_TIME.test(text)) continue;
    const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')];
    if (year === null || month === null || day === null) continue;
    const named = Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' });
    if (!start.isCertain('year') && daysBetween(today, named) > LONG_AHEAD) continue;
    // A weekday said on that weekday means the next one: for the same day people say "today".
    const sameDay = start.isCertain('weekday') && !start.isCertain('day') && named.equals(today);
    return { day: sameDay ? named.add({ days: 7 }) : named, index, length: text.length };
  }
  return null;
}

/** Reads "giovedì a mezzogiorno" again where the library makes last Thursday of it, or no Thursday at all. */
function onItsWeekday(
  found: FoundDay | null,
  folded: string,
  calendar: Calendar,
  today: Temporal.PlainDate,
): FoundDay | null {
  const said = found ? folded.slice(found.index, found.index + found.length) : '';
  const named = /\d/.test(said) ? -1 : calendar.weekdays.findIndex(pattern => pattern.test(said));
  const isRight = named < 0 || (found?.day.dayOfWeek === named + 1 && daysBetween(today, found.day) >= 0);
  return isRight ? found : weekday(folded, calendar, today);
}

function ownDay(folded: string, words: Calendar, today: Temporal.PlainDate): FoundDay | null {
  const tomorrow = words.tomorrow.exec(folded);
  if (tomorrow) return at(tomorrow, today.add({ days: 1 }));
  const now = words.today.exec(folded);
  if (now) return at(now, today);
  const later = words.laterToday.exec(folded);
  return dayOfMonth(folded, words, today) ?? weekday(folded, words, today) ?? (later && at(later, today));
}

function dayOfMonth(folded: string, words: Calendar, today: Temporal.PlainDate): FoundDay | null {
  for (const [index, month] of patternsOf(words).dated.entries()) {
    const match = month.exec(folded);
    const day = match && plainDate(today, { year: null, month: index + 1, day: Number(match[1]) });
    if (day) return at(match, day);
  }
  return null;
}

function weekday(folded: string, { weekdays }: Calendar, today: Temporal.PlainDate): FoundDay | null {
  for (const [index, pattern] of weekdays.entries()) {
    const match = pattern.exec(folded);
    if (match) return at(match, today.add({ days: ((index + 1 - today.dayOfWeek + 6) % 7) + 1 }));
  }
  return null;
}

const UNTIL = '(?:by|until|till|on|in|at|bis|am|um|до|к|на|в|hasta|até|fino|entro|do|od|w)\\s';

type Patterns = {
  /** January first, each behind the number of its day. */ dated: RegExp[];
  lead: RegExp;
  tail: RegExp;
  /** Right before the day, but for an article: not "das schlage ich vor bis Freitag". */ notOnIt: RegExp;
};

/** Made once from a calendar's words. */
const PATTERNS = new WeakMap<Calendar, Patterns>();

function patternsOf(calendar: Calendar): Patterns {
  const known = PATTERNS.get(calendar) ?? madeOf(calendar);
  PATTERNS.set(calendar, known);
  return known;
}

function madeOf({ months, before, after, notOn }: Calendar): Patterns {
  return {
    dated: months.map(({ source }) => new RegExp(`(?<!\\p{N})(\\d{1,2})\\.?\\s{1,3}(?:de\\s{1,3})?${source}`, 'u')),
    lead: new RegExp(`(?:${before.source})$`, 'u'),
    tail: new RegExp(`^\\s{0,3}(?:${after.source})`, 'u'),
    notOnIt: new RegExp(`(?:${notOn.source})\\s{0,2}(?:(?!${UNTIL})\\p{L}{1,4}\\s{1,2}){0,2}(?:\\p{L}{1,2}-)?$`, 'u'),
  };
}

/** The words of the day with the "by" that belongs to them. */
function wordsSaid(folded: string, { index, length }: FoundDay, calendar: Calendar): string {
  const { lead: before, tail: after } = patternsOf(calendar);
  const from = Math.max(index - LONGEST_LEAD, 0);
  const lead = before.exec(folded.slice(from, index).trimEnd());
  const tail = after.exec(folded.slice(index + length));
  const day = folded.slice(lead ? from + lead.index : index, index + length);
  return `${day.replace(/(?<![\s,.;])[\s,.;]+$/, '')}${tail?.[0] ?? ''}`;
}

/** The same words with the capitals they were written with. */
function asWritten(words: string, text: string): string {
  const at = text
    .replaceAll(/[’‘`´ʼ]/g, "'")
    .toLowerCase()
    .indexOf(words);
  return at < 0 ? words : text.slice(at, at + words.length);
}
