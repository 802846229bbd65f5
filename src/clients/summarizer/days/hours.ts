import type { Temporal } from 'temporal-polyfill';
import { oncePer } from '../../../lib/once.ts';
import { inAllLanguages } from '../languages/words.ts';
import type { DateText } from './namedDays.ts';

export type Hour = { time: string; index: number; length: number };

const hourPattern = (half: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}.,:/+-])(?:(1[0-2]|0?[1-9])(?:[:.]([0-5]\\d))?\\s?(${half})\\.?\\s?m\\b|([01]?\\d|2[0-4])(?::([0-5]\\d)|h([0-5]\\d)?))(?![\\p{L}\\p{N}:])`,
    'u',
  );
const HOUR = hourPattern('[ap]');
/** In German, "am" is "on the". */
const HOUR_IN_GERMAN = hourPattern('p');

/** "17.30", but no price, date or part of a longer number. */
const DOTTED =
  /(?<![\p{L}\p{N}.,:/+-])(1\d|2[0-3])\.(00|15|30|45)(?![\p{L}\p{N}.:%€$£/-]|\s?(?:[%€$£₽]|\p{Lu}{3}\b|eur|usd))/u;

export function findWrittenHour({ text, names }: Pick<DateText, 'text' | 'names'>): Hour | null {
  const match = (names.isGerman ? HOUR_IN_GERMAN : HOUR).exec(text);
  if (!match) {
    const other = DOTTED.exec(text) ?? names.said.hour.exec(text);
    if (!other || Number(other[1]) > 24) return null;
    const said = text.slice(other.index);
    const time = guessTimeOfDay(Number(other[1]) % 24, Number(other[2] ?? 0), other[2] !== undefined, said);
    return { time, index: other.index, length: other[0].length };
  }
  const [words, twelve, past = '0', half, hours = '0', minutes, others = '0'] = match;
  const isSure = hours.startsWith('0') || minutes === undefined;
  const time = twelve
    ? guessTimeOfDay((Number(twelve) % 12) + (half === 'p' ? 12 : 0), Number(past), true)
    : guessTimeOfDay(Number(hours) % 24, Number(minutes ?? others), isSure, text.slice(match.index));
  return { time, index: match.index, length: words.length };
}

const saidBehind = (words: string) => new RegExp(`^\\D*\\d{1,2}(?:[:.h]\\d\\d|h)?\\s?(?:${words})(?!\\p{L})`, 'u');
const MORNING = saidBehind(
  'in the morning|morgens|nachts|fruh|de la manana|da manha|du matin|di mattina|del mattino|утра|ночи|ранку|ночі|rano|صباحا',
);
const EVENING = saidBehind(
  'in the (?:afternoon|evening)|nachmittags|abends|de la tarde|da tarde|du soir|' +
    "de l'apres-midi|di sera|вечера|вечора|wieczorem|مساء",
);
/** From six on it is the evening. */
const NIGHT = saidBehind('at night|de la noche|da noite|ليلا');

/** "9h et demie", "a las 5 y cuarto" */
const PAST = saidBehind(inAllLanguages('past'));

/** Hours from 1 to 6 without a sign of the morning are taken for the afternoon: "at 3" is 15:00. */
const FIRST_HOUR = 7;

/** @param said the text from the hour on */
export function guessTimeOfDay(hour: number, minute: number, isSure: boolean, said = ''): string {
  const isNight = NIGHT.test(said);
  const isLate =
    EVENING.test(said) || (isNight && hour >= 6) || (!isSure && hour < FIRST_HOUR && !isNight && !MORNING.test(said));
  const meant = isLate && hour > 0 && hour < 12 ? hour + 12 : hour;
  const { half, quarter } = PAST.exec(said)?.groups ?? {};
  const past = minute || (half && 30) || (quarter && 15) || 0;
  return `${String(meant).padStart(2, '0')}:${String(past).padStart(2, '0')}`;
}

const ZONE = /(?<![\p{L}\p{N}])(?:UTC|GMT|MSK|JST|IST|SGT|BST|[CEW]ES?T|[CEMP][SD]T|A[CEW][SD]T)(?![\p{L}\p{N}])/u;

/** Whether the hour belongs to another place, whose local equivalent is unknown. */
export function isInOtherZone({ text, names }: DateText, written: string, now: Temporal.ZonedDateTime): boolean {
  if (names.said.zone.test(text)) return true;
  const [zone] = ZONE.exec(written) ?? [];
  if (zone === undefined) return false;
  const formats = formatsWithName(now.timeZoneId.toLowerCase());
  return !formats.some(format => format.format(now.epochMilliseconds).endsWith(` ${zone}`));
}

/** Of a date with the name of its zone at the end. Making one costs far more than using it, and its memory is freed late. */
const formatsWithName = oncePer((timeZone: string) =>
  ['en-GB', 'en-US'].map(locale => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })),
);
