import * as chrono from 'chrono-node';
import { Temporal } from 'temporal-polyfill';
import { JOINED } from '../languages/words.ts';
import { daysTypedIn, isOtherWord, nextDay, toDate, withoutLookalikes } from './calendar.ts';
import { type DayNames, dayNames, foldInPlace, monthNamed } from './names.ts';

/** A named day, YYYY-MM-DD, with the hour (HH:MM) if said. `isHour`: only that was said; the day is the message's. */
export type When = { date: string; time: string | null; words: string; hourWords?: string; isHour?: boolean };

type Library = Pick<chrono.Chrono, 'parse'>;

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

/** Leaves out the parsers of past days, whose patterns take seconds for a line of weeks. */
function withoutBackward({ parsers, refiners }: chrono.Chrono): Library {
  const kept = parsers.filter(parser => !/TimeUnit(?:Ago|Later)/.test(parser.constructor.name));
  return new chrono.Chrono({ parsers: kept, refiners });
}

/** Characters. The library's time grows faster than the text, and no sentence that names a day is longer. */
const MAX_READ_LENGTH = 300;
/** Days. A day without a year that is farther ahead was really one some months ago. */
const LONG_AHEAD = 240;
const DAYS_AHEAD = 400;

type FoundDay = { day: Temporal.PlainDate; index: number; length: number };
type Hour = { time: string; index: number; length: number };
type DateText = { text: string; names: DayNames; today: Temporal.PlainDate; timezone: string };

/**
 * The day and hour that a message said at `saidAt` names, in the calendar of `timezone` (IANA); null when neither is
 * named, or only a day that is over. "This week" is its Friday (on a Friday its Sunday, on a weekend the next week's Friday), "next week" its Friday,
 * "this month" its last day, a weekend its Sunday, a weekday the next one, and "before Friday" Thursday; "after Friday"
 * names none. Its words are those of the date library, of Intl and of `languages/words.json`.
 * @param language ISO 639-1, or 'und'
 * @param daysBack how long a day may be over: "last Wednesday"
 */
export function findWhen(text: string, language: string, saidAt: Date, timezone: string, daysBack = 0): When | null {
  const written = withoutLookalikes(text.slice(0, MAX_READ_LENGTH), language);
  const now = Temporal.Instant.fromEpochMilliseconds(saidAt.getTime()).toZonedDateTimeISO(timezone);
  const read: DateText = { text: foldInPlace(written), names: dayNames(language), today: now.toPlainDate(), timezone };
  const library = byLibrary(read, language, { instant: saidAt, timezone: now.offsetNanoseconds / 60e9 });
  const named = library.day ?? weekday(read) ?? shortWeekday(read, written, language);
  const numbered = numberedWeekday(read, named);
  const found =
    period(read, library.day) ??
    dayAfterNext(read) ??
    library.date ??
    numericDate(read) ??
    monthDay(read) ??
    numbered ??
    ordinal(read) ??
    weekend(read) ??
    library.day ??
    nearDay(read) ??
    named ??
    library.partOfToday;
  // The library takes the number of "Friday 13" for an hour.
  const hour = isElsewhere(read, written, now)
    ? null
    : (hourIn(read) ?? (numbered && found === numbered ? null : library.hour));
  const wordsOf = ({ index, length }: Omit<FoundDay, 'day'>) => written.slice(index, index + length);
  const { said } = read.names;
  const start = found && read.text.slice(0, found.index);
  const relative = said.dayBefore.exec(read.text);
  const isBefore =
    found && relative && gapBetween(found, { index: relative.index, length: relative[0].length }) <= MAX_GAP;
  // "After the 1st", "a day before": which day is not said.
  if ((relative && !isBefore) || (start && said.after.test(start))) return null;
  if (found) {
    const day = isBefore || (start && said.before.test(start)) ? found.day.subtract({ days: 1 }) : found.day;
    const ahead = daysBetween(read.today, day);
    return ahead < -daysBack || ahead > DAYS_AHEAD
      ? null
      : {
          date: day.toString(),
          time: hour?.time ?? null,
          words: wordsOf(found),
          ...(hour && { hourWords: wordsOf(hour) }),
        };
  }
  if (!hour || Temporal.PlainTime.compare(hour.time, now.toPlainTime()) <= 0) return null;
  return { date: read.today.toString(), time: hour.time, words: wordsOf(hour), isHour: true };
}

const ZONE = /(?<![\p{L}\p{N}])(?:UTC|GMT|MSK|JST|IST|SGT|BST|[CEW]ES?T|[CEMP][SD]T|A[CEW][SD]T)(?![\p{L}\p{N}])/u;

/** Whether the hour belongs to another place, whose local equivalent is unknown. */
function isElsewhere({ text, names }: DateText, written: string, now: Temporal.ZonedDateTime): boolean {
  const [zone] = ZONE.exec(written) ?? [];
  const isOwn = ['en-GB', 'en-US'].some(locale =>
    now.toLocaleString(locale, { timeZoneName: 'short' }).endsWith(` ${zone}`),
  );
  return names.said.zone.test(text) || (zone !== undefined && !isOwn);
}

/** Whether a text names its day by another: "a day before". */
export function isRelative(text: string, language: string): boolean {
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

/** Whether a text says what its speaker needs. */
export function saysNeed(text: string, language: string): boolean {
  return dayNames(language).said.needs.test(foldInPlace(text.slice(0, MAX_READ_LENGTH)));
}

/** HH:MM, of the first hour that a text names. */
export function findHour(text: string, language: string): string | null {
  const read = foldInPlace(text.normalize('NFC').slice(0, MAX_READ_LENGTH));
  if (!/\d/.test(read)) return null;
  const today = Temporal.PlainDate.from('2026-01-05');
  const about = { text: read, names: dayNames(language), today, timezone: 'UTC' };
  const reference = { instant: new Date('2026-01-05T00:00:00Z'), timezone: 0 };
  return (hourIn(about) ?? byLibrary(about, language, reference).hour)?.time ?? null;
}

export function daysBetween(one: Temporal.PlainDate, other: Temporal.PlainDate): number {
  return one.until(other, { largestUnit: 'days' }).days;
}

function foundAt(match: RegExpExecArray, day: Temporal.PlainDate): FoundDay {
  return { day, index: match.index, length: match[0].length };
}

/** Friday of this week; on a Friday its Sunday; on a weekend, the coming week's. */
function endOfWeek(today: Temporal.PlainDate): Temporal.PlainDate {
  const { dayOfWeek } = today;
  if (dayOfWeek > 5) return today.add({ days: 12 - dayOfWeek });
  return today.add({ days: (dayOfWeek < 5 ? 5 : 7) - dayOfWeek });
}

const endOfMonth = (day: Temporal.PlainDate) => day.with({ day: day.daysInMonth });

function period(read: DateText, other: FoundDay | null): FoundDay | null {
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
    const named = weekday(read) ?? other;
    if (!named) return foundAt(match, day());
    // "Monday next week" is the Monday of that week.
    if (pattern === names.nextWeek || pattern === said.nextWeek)
      return { ...named, day: today.add({ days: 7 - today.dayOfWeek + named.day.dayOfWeek }) };
  }
  return null;
}

type Reference = chrono.ParsingReference & { timezone: number };

/** `date`: with its month. `partOfToday`: "this evening". */
type ByLibrary = { date: FoundDay | null; day: FoundDay | null; partOfToday: FoundDay | null; hour: Hour | null };

function byLibrary({ text, names, today }: DateText, language: string, reference: Reference): ByLibrary {
  const read: ByLibrary = { date: null, day: null, partOfToday: null, hour: null };
  for (const { text: words, index, start } of LIBRARIES[language]?.parse(text, reference, { forwardDate: true }) ??
    []) {
    const tags = start.tags();
    // "Now", "in five minutes" name no day, and "недели" alone is no week to come.
    if (tags.has('casualReference/now') || tags.has('result/relativeDateAndTime')) continue;
    if (tags.has('result/relativeDate') && (!/\d/.test(words) || DURATION.test(words))) continue;
    const [isDay, isWeekday] = [start.isCertain('day'), start.isCertain('weekday')];
    const isWord = isTooShort(text, index, words) || isOtherWord(text, { word: words, index }, language);
    if (isPartOfWord(text, index, words) || (isWeekday && !isDay && isWord)) continue;
    const place = { index, length: words.length };
    const isHour = (start.isCertain('hour') && /\d/.test(words)) || tags.has('casualReference/noon');
    const end = index + words.length;
    // "Del 20 nov"
    const isOfMonth = () => daysTypedIn(text, language).some(day => day.index === end + 1);
    if (isHour && !UNIT.test(text.slice(end)) && !isOfMonth())
      read.hour ??= {
        time: clock(start.get('hour') ?? 0, start.get('minute') ?? 0, start.isCertain('meridiem')),
        ...place,
      };
    // "Good night" and "the night shift" name no day, "this night" does.
    const isOfToday = words.includes(' ') && [...tags].some(tag => tag.startsWith('casualReference/'));
    if (!isDay && !isWeekday && isOfToday) read.partOfToday ??= { day: today, ...place };
    if (!isDay && !isWeekday) continue;
    const [year, month, dayOfMonth] = [start.get('year'), start.get('month'), start.get('day')];
    if (year === null || month === null || dayOfMonth === null) continue;
    const named = Temporal.PlainDate.from({ year, month, day: dayOfMonth }, { overflow: 'constrain' });
    if (!start.isCertain('year') && daysBetween(today, named) > LONG_AHEAD) continue;
    const ofWeek = nextWeekday(today, named.dayOfWeek);
    if (isDay && start.isCertain('month') && tags.size === 0) read.date ??= { day: named, ...place };
    else if (isDay) read.day ??= { day: named, ...place };
    else if (isLastWeekday(words, language, named)) read.day ??= { day: lastWeekday(today, named.dayOfWeek), ...place };
    else read.day ??= { day: isWeekend(ofWeek, words, names) ? ofWeek.add({ days: 1 }) : ofWeek, ...place };
  }
  return read;
}

/** Whether words mean a day that is over, as "last Wednesday" does even on the day before a Wednesday. */
function isLastWeekday(words: string, language: string, named: Temporal.PlainDate): boolean {
  const reference = { instant: new Date(`${named.subtract({ days: 1 })}T00:00:00Z`), timezone: 0 };
  const [read] = LIBRARIES[language]?.parse(words, reference) ?? [];
  return read !== undefined && read.date() < reference.instant;
}

/** "Доставка 5 днів": how long it takes, not when. */
const DURATION = /^\d+ \p{L}+$/u;
/** Units after a number that is no hour: "from 10 cm", "de 5%". */
const UNIT = /^\s?(?:[%€$£₽°]|(?:[ckm]?m|m?l|k?g|kw|[gmt]b)(?!\p{L}))/u;

/** "Fr" of "freigegeben" */
function isPartOfWord(text: string, index: number, words: string): boolean {
  if (JOINED.test(words)) return false;
  return /^\p{L}/u.test(text.slice(index + words.length)) || (index > 0 && /\p{L}/u.test(text.charAt(index - 1)));
}

const TWO_LETTERS = /^\P{L}*\p{L}{2}\P{L}*$/u;
const NUMBER_OF_DAY = /^[.,]?\s?(?:[12]?\d|3[01])(?!\d)/;

/** "So" and "di" are days only with a number: "so 6.", "di 9:30". */
function isTooShort(text: string, index: number, words: string): boolean {
  return TWO_LETTERS.test(words) && !NUMBER_OF_DAY.test(text.slice(index + words.length));
}

/** A Saturday that isn't named by its name is a weekend, which lasts until Sunday. */
function isWeekend(day: Temporal.PlainDate, words: string, { saturday }: DayNames): boolean {
  return day.dayOfWeek === 6 && !words.includes(saturday);
}

const ORDINAL = /(?<![\p{L}\p{N}.,:/])([12]?\d|3[01])(?:st|nd|rd|th)(?![\p{L}\p{N}])/u;

/** "The 20th", "dia 20": the next such day. */
function ordinal({ text, names, today }: DateText): FoundDay | null {
  const match = ORDINAL.exec(text) ?? names.numbered.exec(text) ?? names.said.number.exec(text);
  const day = match && nextDay(today, Number(match[1] ?? match[2]));
  return match && day ? foundAt(match, day) : null;
}

/** The coming Sunday; on a Sunday, the same day. */
function weekend({ text, names, today }: DateText): FoundDay | null {
  const match = names.said.weekend.exec(text);
  return match && foundAt(match, today.add({ days: 7 - today.dayOfWeek }));
}

const NUMBER = /(?<![\p{L}\p{N}.,:/-])(\d{1,2})(?![\p{L}\p{N}:/%€$£]|[.,]\d)/gu;
/** Characters between a weekday and the number of its day. */
const MAX_GAP = 8;

function gapBetween(one: Omit<FoundDay, 'day'>, other: Omit<FoundDay, 'day'>): number {
  return one.index < other.index ? other.index - one.index - one.length : one.index - other.index - other.length;
}

/** Days. Farther days are named with their month: "Tuesday 8" is an hour. */
const NEXT_WEEKS = 16;

/** "Friday 13": a number near the name of the weekday on which that day of the month is. */
function numberedWeekday(read: DateText, named: FoundDay | null): FoundDay | null {
  // The number behind "tomorrow before" is an hour.
  if (!named || nearDay({ ...read, text: read.text.slice(named.index, named.index + named.length) })) return null;
  for (const match of read.text.matchAll(NUMBER)) {
    const gap = gapBetween(named, { index: match.index, length: match[0].length });
    const day = gap <= MAX_GAP ? nextDay(read.today, Number(match[1])) : null;
    if (day?.dayOfWeek === named.day.dayOfWeek && daysBetween(read.today, day) <= NEXT_WEEKS) return { ...named, day };
  }
  return null;
}

const NUMERIC = /(?<![\p{N}.,/:-])(\d{1,2})([./-])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{2}))?\.?(?![\p{N}%:]|[.,/-]\d)/u;
const MONTH_FIRST = /^(?:America\/(?!(?:Argentina|Sao|Bogota|Lima|Santiago|Caracas))|US\/|Canada\/)/;

/** Dates in the language's own format: 20.11., 20/11, 11/20. "10.30", "3.5" and "24/7" are no dates. */
function numericDate({ text, names, today, timezone }: DateText): FoundDay | null {
  const match = NUMERIC.exec(text);
  if (!match) return null;
  const [words, first = '', mark = '', second = '', year = ''] = match;
  const isWhole = year !== '' || (mark === names.separator && (mark === '/' || /\.$|\.\d\d$/.test(words)));
  if (!isWhole || (first === '24' && second === '7')) return null;
  const isMonthFirst =
    Number(second) > 12 || (mark === '/' && Number(first) <= 12 && names.isMonthFirst && MONTH_FIRST.test(timezone));
  const [day, month] = isMonthFirst ? [Number(second), Number(first)] : [Number(first), Number(second)];
  const found = toDate(today, { year: year ? Number(year.slice(-2)) + 2000 : null, month, day });
  return found && foundAt(match, found);
}

/** "20 November", "20 de noviembre"; "November 20". */
const DAY_MONTH = /(?<!\d)(\d{1,2})\p{L}{0,2}\.?\s{1,2}(?:(\p{L}{1,3})\s)?(\p{L}{2,20})/gu;
const MONTH_DAY = /(?<!\p{L})(\p{L}{2,20})\s(\d{1,2})(?!\d)/gu;

function monthDay({ text, names, today }: DateText): FoundDay | null {
  if (!/\d/.test(text)) return null;
  const behind = [...text.matchAll(DAY_MONTH)].map(match => ({ match, day: match[1], words: [match[2], match[3]] }));
  const before = [...text.matchAll(MONTH_DAY)].map(match => ({ match, day: match[2], words: [match[1]] }));
  for (const { match, day, words } of [...behind, ...before])
    for (const word of words) {
      const month = word ? monthNamed(word, names) : null;
      const found = month && toDate(today, { year: null, month, day: Number(day) });
      if (found) return foundAt(match, found);
    }
  return null;
}

/** "Pasado mañana", of which the library reads the second word alone. */
function dayAfterNext({ text, names, today }: DateText): FoundDay | null {
  const match = names.near.find(({ days }) => days === 2)?.pattern.exec(text);
  return match ? foundAt(match, today.add({ days: 2 })) : null;
}

function nearDay({ text, names, today }: DateText): FoundDay | null {
  for (const { pattern, days } of names.near) {
    const match = pattern.exec(text);
    if (match) return foundAt(match, today.add({ days }));
  }
  return null;
}

/** The next one, as for the same day people say "today". */
export function nextWeekday(today: Temporal.PlainDate, dayOfWeek: number): Temporal.PlainDate {
  return today.add({ days: ((dayOfWeek - today.dayOfWeek + 6) % 7) + 1 });
}

const lastWeekday = (today: Temporal.PlainDate, dayOfWeek: number) =>
  today.subtract({ days: ((today.dayOfWeek - dayOfWeek + 6) % 7) + 1 });

/** "wt 24", "чт 16:00": cut short, only with a number. */
function shortWeekday({ today }: DateText, written: string, language: string): FoundDay | null {
  for (const { word, index, meanings } of daysTypedIn(written, language)) {
    const [named] = [...meanings].filter(meaning => meaning.startsWith('weekday'));
    if (!named || !NUMBER_OF_DAY.test(written.slice(index + word.length))) continue;
    return { day: nextWeekday(today, Number(named.split(' ')[1])), index, length: word.length };
  }
  return null;
}

/** Longer names first: "Cumartesi" begins like "Cuma". */
function weekday({ text, names, today }: DateText): FoundDay | null {
  const matches = names.weekdays.flatMap((pattern, index) => {
    const match = pattern.exec(text);
    return match ? [{ match, index, size: pattern.source.length }] : [];
  });
  const [best] = matches.toSorted((a, b) => b.size - a.size);
  return best ? foundAt(best.match, nextWeekday(today, best.index + 1)) : null;
}

const HOUR =
  /(?<![\p{L}\p{N}.,:/+-])(?:([01]?\d|2[0-4])(?::([0-5]\d)|h([0-5]\d)?)|(1[0-2]|[1-9])(?:[:.]([0-5]\d))?\s?([ap])\.?m\b)(?![\p{L}\p{N}:])/u;

/** "17.30", but no price, date or part of a longer number. */
const DOTTED =
  /(?<![\p{L}\p{N}.,:/+-])(1\d|2[0-3])\.(00|15|30|45)(?![\p{L}\p{N}.:%€$£/-]|\s?(?:[%€$£₽]|\p{Lu}{3}\b|eur|usd))/u;

function hourIn({ text, names }: Pick<DateText, 'text' | 'names'>): Hour | null {
  const match = HOUR.exec(text);
  if (!match) {
    const other = DOTTED.exec(text) ?? names.said.hour.exec(text);
    if (!other || Number(other[1]) > 24) return null;
    const time = clock(Number(other[1]) % 24, Number(other[2] ?? 0), other[2] !== undefined);
    return { time, index: other.index, length: other[0].length };
  }
  const [words, hours = '0', minutes, others = '0', twelve, past = '0', half] = match;
  const time = twelve
    ? clock((Number(twelve) % 12) + (half === 'p' ? 12 : 0), Number(past), true)
    : clock(Number(hours) % 24, Number(minutes ?? others), hours.startsWith('0') || minutes === undefined);
  return { time, index: match.index, length: words.length };
}

/** The first office hour is seven: "at 3" is in the afternoon. */
const FIRST_HOUR = 7;

function clock(hour: number, minute: number, isSure: boolean): string {
  const meant = !isSure && hour > 0 && hour < FIRST_HOUR ? hour + 12 : hour;
  return `${String(meant).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
