import { everywhere } from '../languages/compile.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import { NEAR_MONTH } from '../numberedDays.ts';

/** HH:MM, with its words. `isSure`: it needs no day beside it to be one. */
export type Hour = { time: string; words: string; isSure: boolean };

type Calendar = Lexicon['calendar'];
type Clock = NonNullable<Lexicon['dates']['clock']>;

type Forms = {
  hour: RegExp;
  lead: RegExp;
  clock: RegExp;
  halfBehind: RegExp;
  halfNear: RegExp;
  ending: RegExp;
  dayBefore: RegExp;
};

/** Made once from a language's words. */
const FORMS = new WeakMap<Lexicon, Forms>();

function formsOf(lexicon: Lexicon): Forms {
  const known = FORMS.get(lexicon) ?? madeOf(lexicon);
  FORMS.set(lexicon, known);
  return known;
}

function madeOf({ calendar, dates }: Lexicon): Forms {
  const { at, clock, afternoon, noon, anyDay } = calendar;
  const half = `(?:${afternoon.source}|${noon.source})`;
  return {
    hour: new RegExp(dates.clock ? unspacedForm(dates.clock) : spacedForm(dates), 'gu'),
    lead: new RegExp(`(?:${at.source})$`, 'u'),
    clock: new RegExp(`(?:${clock.source})$`, 'u'),
    // "8 in the evening", "8 wieczorem", and not "3 evening sessions".
    halfBehind: new RegExp(`^ (?:(?:\\p{L}{1,3} ){1,2}${half}|${half}(?=$|[.,!?;؟،]))`, 'u'),
    halfNear: new RegExp(half, 'u'),
    ending: new RegExp(`^(?:${anyOf(dates.hourEndings)})(?!\\p{L})`, 'u'),
    dayBefore: new RegExp(`(?:${anyDay.source})$`, 'u'),
  };
}

function spacedForm({ hourMarks, hourUnits }: Lexicon['dates']): string {
  const mark = anyOf([...hourMarks, ...hourUnits]);
  return `(?<![\\p{L}\\p{N}.,:/#+-])([01]?\\d|2[0-4])(?:[:.h]([0-5]\\d))? ?(${mark})?(?![\\p{L}\\p{N}%:€$£]|[.,/]\\d)`;
}

/** The source of a pattern for one of the words, for nothing where there are none. */
function anyOf(words: string[]): string {
  if (words.length === 0) return '(?!)';
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  return longestFirst.map(word => RegExp.escape(word)).join('|');
}

/** "Alle 3 persone", "до 30-го", "до 20 октября": the number is no hour. */
function isCounted(behind: string, { counted }: Calendar): boolean {
  const [next = ''] = /^\.? \p{L}{1,20}/u.exec(behind) ?? [];
  return /^-\p{L}/u.test(behind) || counted.test(next.trim()) || NEAR_MONTH.test(next);
}

/** "午後3時", "下午3点半"; none where it is that of another time zone: "17時(日本時間)". */
function unspacedHour(folded: string, lexicon: Lexicon, clock: Clock): Hour | null {
  const { calendar } = lexicon;
  const [found] = folded.matchAll(formsOf(lexicon).hour);
  if (!found || calendar.zone.test(folded.slice(found.index + found[0].length).slice(0, LONGEST_ZONE))) return null;
  const [words, part = '', hours = '', colon, minutes, half] = found;
  const hour = numberOf(hours, clock) % 24;
  const minute = colon ?? minutes ?? (half ? '30' : '0');
  return { time: clockTime(hour, minute, isLate(hour, part, calendar)), words, isSure: true };
}

/** Hours in words need a part of the day or a day before them: 一点 is also "a bit". */
function unspacedForm({ parts, days, hour, minute, half, notHour, numbers }: Clock): string {
  const number = Object.keys(numbers).join('');
  const inWords = number && `|(?<=${anyOf(parts)}|(?:${anyOf(days)})\\p{L})[${number}]{1,3}`;
  const minutes = `(?:([0-5]?\\d)(?:${anyOf(minute)})|(${anyOf(half)}))?`;
  return `(${anyOf(parts)})?([01]?\\d|2[0-4]${inWords})(?::([0-5]\\d)|(?:${anyOf(hour)})(?!${anyOf(notHour)})${minutes})`;
}

/** "8", "八", "十一" */
function numberOf(hours: string, { numbers }: Clock): number {
  if (/\d/.test(hours)) return Number(hours);
  const values = Array.from(hours, one => Number(numbers[one] ?? 0));
  const ten = values.indexOf(10);
  return ten < 0 ? (values[0] ?? 0) : 10 * (values[ten - 1] ?? 1) + (values[ten + 1] ?? 0);
}

/** In the second half of the day: at eight in the evening, at one around noon. */
function isLate(hour: number, around: string, { afternoon, noon }: Calendar): boolean {
  return hour < 12 && (afternoon.test(around) || (hour <= LATEST_NOON && noon.test(around)));
}

const LATEST_NOON = 4;

function clockTime(hour: number, minutes: string, isAfternoon: boolean): string {
  return `${`${isAfternoon && hour < 12 ? hour + 12 : hour}`.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

/** The hour that a folded text names; none of another time zone. A bare number is an hour only after "at" and the like. */
export function hourOf(folded: string, lexicon: Lexicon): Hour | null {
  const { dates } = lexicon;
  const isNumbered = /\d/.test(folded);
  const hour = dates.clock
    ? unspacedHour(folded, lexicon, dates.clock)
    : isNumbered
      ? spacedHour(folded, lexicon)
      : null;
  return hour ?? noonIn(folded, lexicon);
}

function spacedHour(folded: string, lexicon: Lexicon): Hour | null {
  const { calendar, dates } = lexicon;
  const { hour: hours, lead: leads, clock, halfBehind, halfNear, ending, dayBefore } = formsOf(lexicon);
  for (const match of folded.matchAll(hours)) {
    const [words, number = '', minutes, mark = ''] = match;
    const before = folded.slice(Math.max(0, match.index - 30), match.index).trimEnd();
    const behind = folded.slice(match.index + words.length);
    const lead =
      leads.exec(before)?.[0] ??
      // "Saturday 10?": the hour, where "Saturday 14" is a date.
      (dates.hourAfterDay && minutes === undefined && Number(number) <= 12 ? dayBefore.exec(before)?.[0] : undefined);
    const isLed = clock.test(before);
    const separator = folded[match.index + number.length] ?? '';
    const isClock = minutes !== undefined && (/[:h]/.test(separator) || ending.test(behind));
    const half = isCounted(behind, calendar) ? undefined : halfBehind.exec(behind)?.[0];
    const isMarked = half !== undefined || dates.hourMarks.includes(mark);
    if (!lead && !isClock && !ending.test(behind) && !isMarked) continue;
    if (isCounted(behind, calendar) || calendar.zone.test(behind.slice(0, LONGEST_ZONE))) continue;
    const hour = Number(number) % 24;
    const around = `${before} ${behind.slice(0, 20)}`;
    const isAfternoon =
      dates.afternoonMarks.includes(mark) ||
      (!dates.morningMarks.includes(mark) && halfNear.test(around) && isLate(hour, around, calendar)) ||
      isOfficeHour(words);
    const isSure = isClock || isLed || mark !== '' || half !== undefined;
    const time = clockTime(hour, minutes ?? '00', isAfternoon);
    return { time, words: [lead, words.trim()].filter(Boolean).join(' '), isSure };
  }
  return null;
}

const LONGEST_ZONE = 16;

/** "At noon", and not "in the afternoon". */
function noonIn(folded: string, { calendar }: Lexicon): Hour | null {
  if (!calendar.noon.test(folded)) return null;
  const noon = calendar.noon.exec(folded.replaceAll(everywhere(calendar.afternoon), words => ' '.repeat(words.length)));
  return noon && { time: '12:00', words: noon[0], isSure: true };
}

/** "By 5", "at 3" without more: no one works at five in the morning. */
function isOfficeHour(words: string): boolean {
  return /^[1-5]$/.test(words.trim());
}
