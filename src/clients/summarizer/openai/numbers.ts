import { Temporal } from 'temporal-polyfill';
import type { MessengerMessage } from '../../messenger/types.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space only stands before three digits. */
const NUMBER = /\p{Nd}+(?:(?:[.,:'’/-]\p{Nd}+)|(?:[ \u00A0\u202F]\p{Nd}{3}(?!\p{Nd})))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Smaller numbers are counts, or were said in words. */
const SMALLEST = 13;

type Said = { messages: Pick<MessengerMessage, 'text' | 'sentAt'>[]; timezone: string };

/**
 * Finds the numbers of a text that are in no message and are not the day or hour of one, or the day after.
 * @param days YYYY-MM-DD, other days that may be named
 */
export function createNumberCheck({ messages, timezone }: Said, days: string[]): (text: string) => string[] {
  const moments = messages.flatMap(({ sentAt }) => momentsOf(sentAt, timezone));
  const known = new Set([
    ...messages.flatMap(({ text }) => numbersIn(text).flatMap(number => [...spellingsOf(number), ...partsOf(number)])),
    ...[...new Set([...days, ...moments])].flatMap(partsOf),
  ]);
  const isKnown = (number: string) =>
    spellingsOf(number).some(spelling => known.has(spelling)) ||
    partsOf(number).every(part => Number(part) < SMALLEST || known.has(part));
  return text => numbersIn(text).filter(number => !isKnown(number));
}

function numbersIn(text: string): string[] {
  return (text.match(NUMBER) ?? []).map(number => number.replaceAll(/\p{Nd}/gu, toAscii));
}

/** The ten digits of a script are in a row. */
function toAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** The number without separators, with and without the zeros after a decimal point. */
function spellingsOf(number: string): string[] {
  const joined = number.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return /[.,]\d{1,2}$/.test(number) ? [joined, joined.replace(/(?<!0)0+$/, '')] : [joined];
}

/** The parts of a date, an hour or a range. */
function partsOf(number: string): string[] {
  if (GROUPED.test(number)) return spellingsOf(number);
  return number
    .split(/\D+/)
    .filter(Boolean)
    .map(part => part.replace(/^0+(?=\d)/, ''));
}

function momentsOf(moment: Date, timezone: string): string[] {
  const milliseconds = moment.getTime();
  if (!Number.isFinite(milliseconds)) return [];
  const local = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone);
  return [local.toPlainDateTime().toString(), local.toPlainDate().add({ days: 1 }).toString()];
}
