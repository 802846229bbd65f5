import { Chrono, de, en, es, fr, it, ja, nl, pt, ru, sv, uk, zh } from 'chrono-node';
import { Temporal } from 'temporal-polyfill';
import { writeNumbersInDigits } from '../languages/numbers.ts';
import { stopwordsOf } from '../languages/stopwords.ts';
import { LANGUAGES } from '../languages/types.ts';
import { inAllLanguages, JOINED } from '../languages/words.ts';
import { countDaysBetween, findTypedDays, isEverydayWord, lastWeekday, nextWeekday } from './calendar.ts';
import { guessTimeOfDay, type Hour } from './hours.ts';
import { type DateText, type FoundDay, NUMBER_OF_DAY } from './namedDays.ts';
import { type DayNames, isDayName } from './names.ts';

type Library = Pick<Chrono, 'parse'>;

const LIBRARIES: Record<string, Library> = Object.fromEntries([
  ...Object.entries({ en, de, es, fr, pt, it, sv, ja, zh }).map(([code, { casual }]) => [code, casual]),
  ...Object.entries({ ru, uk, nl }).map(([code, { casual }]) => [code, withoutBackward(casual)]),
]);

/** Leaves out the parsers of past days, whose patterns take seconds for a line of weeks. */
function withoutBackward({ parsers, refiners }: Chrono): Library {
  const kept = parsers.filter(parser => !/TimeUnit(?:Ago|Later)/.test(parser.constructor.name));
  return new Chrono({ parsers: kept, refiners });
}

/** Maximum number of days ahead: a date without a year that is farther away was probably some months ago. */
const LONG_AHEAD = 240;

/** What the library finds. `date`: a day with its month; `day`: any other day; `partOfToday`: as in "this evening". */
type ByLibrary = { date: FoundDay | null; day: FoundDay | null; partOfToday: FoundDay | null; hour: Hour | null };

export function parseByLibrary({ text, names, today }: DateText, language: string): ByLibrary {
  const read: ByLibrary = { date: null, day: null, partOfToday: null, hour: null };
  const found = LIBRARIES[language]?.parse(text, noonOf(today), { forwardDate: true }) ?? [];
  for (const { text: words, index, start } of found) {
    const tags = start.tags();
    // "Now", "in five minutes" name no day, and "недели" alone is no week to come.
    if (tags.has('casualReference/now') || tags.has('result/relativeDateAndTime')) continue;
    const count = start.date() < noonOf(today) ? words : writeNumbersInDigits(words, language).trim();
    if (tags.has('result/relativeDate') && (!/\d/.test(count) || DURATION.test(count))) continue;
    const [isDay, isWeekday] = [start.isCertain('day'), start.isCertain('weekday')];
    const isWord = isTooShort(text, index, words) || isEverydayWord(text, { word: words, index }, language);
    if (isPartOfWord(text, index, words) || (isWeekday && !isDay && isWord)) continue;
    const place = { index, length: words.length };
    const isHour = (start.isCertain('hour') && /\d/.test(words)) || tags.has('casualReference/noon');
    const end = index + words.length;
    // "Del 20 nov"
    const isOfMonth = () => findTypedDays(text, language).some(day => day.index === end + 1);
    const [hour, minute] = [start.get('hour') ?? 0, start.get('minute') ?? 0];
    const time = guessTimeOfDay(hour, minute, start.isCertain('meridiem'), text.slice(index));
    const isAmount = UNIT.test(text.slice(end)) || (names.isGerman && /^\d+ ?am$/.test(words));
    if (isHour && !isAmount && !RANGE.test(text.slice(0, index)) && !isCountOfThings(text, end, language) && !isOfMonth())
      read.hour ??= { time, ...place };
    // "Good night" and "the night shift" name no day, "this night" does.
    const isOfToday = words.includes(' ') && [...tags].some(tag => tag.startsWith('casualReference/'));
    if (!isDay && !isWeekday && isOfToday) read.partOfToday ??= { day: today, ...place };
    if (!isDay && !isWeekday) continue;
    const [year, month, dayOfMonth] = [start.get('year'), start.get('month'), start.get('day')];
    if (year === null || month === null || dayOfMonth === null) continue;
    const named = Temporal.PlainDate.from({ year, month, day: dayOfMonth }, { overflow: 'constrain' });
    if (!start.isCertain('year') && countDaysBetween(today, named) > LONG_AHEAD) continue;
    const ofWeek = nextWeekday(today, named.dayOfWeek);
    if (isDay && start.isCertain('month') && tags.size === 0) read.date ??= { day: named, ...place };
    else if (isDay) read.day ??= { day: named, ...place };
    else if (read.day) continue;
    else if (isLastWeekday(words, language, named))
      read.day = { day: lastWeekday(today, named.dayOfWeek), ...place, isWeekday };
    else read.day = { day: isWeekend(ofWeek, words, names) ? ofWeek.add({ days: 1 }) : ofWeek, ...place, isWeekday };
  }
  return read;
}

/** In the server's zone, as the library counts days in it whatever zone it is given, in Chinese and Swedish. */
const noonOf = ({ year, month, day }: Temporal.PlainDate) => new Date(year, month - 1, day, 12);

/** Whether words mean a day that is over, as "last Wednesday" does even on the day before a Wednesday. */
function isLastWeekday(words: string, language: string, named: Temporal.PlainDate): boolean {
  const before = noonOf(named.subtract({ days: 1 }));
  const [read] = LIBRARIES[language]?.parse(words, before) ?? [];
  return read !== undefined && read.date() < before;
}

/** "Доставка 5 днів", "for two weeks": how long it takes, not when. */
const DURATION = new RegExp(`^(?:(?:${inAllLanguages('lasts')}) +)?\\d+ \\p{L}+$`, 'u');
/** What follows a number that is no hour: "from 10 cm", "de 5%", "at 15 each", "at 1,500". */
const UNIT = /^(?:\s?(?:[%€$£₽°]|(?:[ckm]?m|m?l|k?g|kw|[gmt]b|each|cada|chacun)(?!\p{L}))|[ .,]\d{3}(?!\d))/u;
const AND = LANGUAGES.flatMap(language =>
  new Intl.ListFormat(language)
    .formatToParts(['8', '10'])
    .flatMap(({ type, value }) => (type === 'literal' ? value.trim() : [])),
);
/** What precedes the end of "between 8 and 10 on Thursday". */
const RANGE = new RegExp(`\\d (?:${AND.join('|')}) $`, 'u');

const BARE_NUMBER =
  /(?<![\d.:]|(?<!\p{L})(?:at|um|om|kl\.?|a las?|sobre las|alle?|dalle|as|ab|gegen) |\d\s?(?:[-–]|bis|tot|to|till|until|a|e)\s?)(?<!\d)\d{1,2}$/u;

/** Whether a number without a sign for hours ends there and counts things: "from 10 customers". */
function isCountOfThings(text: string, end: number, language: string): boolean {
  const [, next] = /^ (?!(?:heures|horas|ore|часов)(?!\p{L}))(\p{L}{3,40})/u.exec(text.slice(end)) ?? [];
  if (!next || !BARE_NUMBER.test(text.slice(0, end)) || stopwordsOf(language).has(next)) return false;
  return !isDayName(next, language);
}

/** "Fr" of "freigegeben" */
function isPartOfWord(text: string, index: number, words: string): boolean {
  if (JOINED.test(words)) return false;
  return /^\p{L}/u.test(text.slice(index + words.length)) || (index > 0 && /\p{L}/u.test(text.charAt(index - 1)));
}

const TWO_LETTERS = /^\P{L}*\p{L}{2}\P{L}*$/u;

/** "So" and "di" are days only with a number: "so 6.", "di 9:30". */
function isTooShort(text: string, index: number, words: string): boolean {
  return TWO_LETTERS.test(words) && !NUMBER_OF_DAY.test(text.slice(index + words.length));
}

/** A Saturday that isn't named by its name is a weekend, which lasts until Sunday. */
function isWeekend(day: Temporal.PlainDate, words: string, { saturday }: DayNames): boolean {
  return day.dayOfWeek === 6 && !words.includes(saturday);
}
