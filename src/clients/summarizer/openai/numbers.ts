import { Temporal } from 'temporal-polyfill';
import type { MessengerMessage } from '../../messenger/types.ts';
import { fold } from '../cleaning.ts';
import { lexiconOf } from '../languages/lexicon.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space only stands before three digits. */
const NUMBER = /\p{Nd}+(?:(?:[.,:'’/-]\p{Nd}+)|(?:[ \u00A0\u202F]\p{Nd}{3}(?!\p{Nd})))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Smaller numbers are counts, or were said in words. */
const SMALLEST = 13;

/** Stands for hundreds and more in words: which number they are is not read, a round one must be in figures. */
const LARGE = 'large';
const isRound = (number: string) => Number(number) >= 100 && Number(number) % 100 === 0;

type Said = {
  messages: Pick<MessengerMessage, 'id' | 'text' | 'sentAt'>[];
  timezone: string;
  /** ISO 639-1 */
  language: string;
};

/** `elsewhere`: messages that say those numbers of a text that the cited ones lack. `foreign`: numbers no one wrote. */
type Checked = { elsewhere: string[]; foreign: string[] };

/**
 * Checks the numbers of a text against the messages that it cites. Those of the days and hours at which messages were
 * sent, and of the day after each, may be in any text.
 * @param days YYYY-MM-DD, other days that may be named
 */
export function createNumberCheck(
  { messages, timezone, language }: Said,
  days: string[],
): (text: string, cited?: readonly string[]) => Checked {
  const saysLarge = (text: string) =>
    [...new Set([language, 'en'])].some(code => lexiconOf(code).acts.large.test(fold(text, code)));
  const moments = messages.flatMap(({ sentAt }) => momentsOf(sentAt, timezone));
  const anywhere = new Set([...new Set([...days, ...moments])].flatMap(partsOf));
  const saidIn = new Map<string, string[]>();
  for (const { id, text } of messages) {
    const numbers = new Set(numbersIn(text).flatMap(found => [...spellingsOf(found), ...partsOf(found)]));
    if (saysLarge(text) || [...numbers].some(isRound)) numbers.add(LARGE);
    for (const number of numbers) {
      const ids = saidIn.get(number) ?? [];
      saidIn.set(number, ids);
      ids.push(String(id));
    }
  }
  /** Empty for a number that needs no message, undefined for one that no one wrote. */
  const sourcesOf = (number: string): string[] | undefined => {
    if (anywhere.has(number)) return [];
    return saidIn.get(number) ?? (isSmall(number) ? [] : undefined);
  };
  return (text, cited = []) => {
    const isCited = (ids: string[]) => ids.length === 0 || ids.some(id => cited.includes(id));
    const checked: Checked = { elsewhere: [], foreign: [] };
    for (const number of [...numbersIn(text), ...(saysLarge(text) ? [LARGE] : [])]) {
      const whole = spellingsOf(number).flatMap(spelling => sourcesOf(spelling) ?? []);
      const isWhole = spellingsOf(number).some(spelling => sourcesOf(spelling) !== undefined);
      const parts = isWhole ? [whole] : partsOf(number).map(sourcesOf);
      if (parts.includes(undefined)) checked.foreign.push(number);
      else for (const ids of parts) if (ids && !isCited(ids)) checked.elsewhere.push(ids.at(-1) ?? '');
    }
    return checked;
  };
}

function isSmall(number: string): boolean {
  return Number(number) < SMALLEST;
}

/** Single digits that spell out a number: "0 1 7 6", "(1) (2) (3) (4)". */
const SPELLED_OUT = /(?<!\p{Nd})\p{Nd}(?:[^\p{L}\p{Nd}]{1,3}\p{Nd}(?!\p{Nd})){3,40}/gu;
/** Numbers that are no digits: "Ⅿ", and "➀", which is none in another form either, unlike the "²" of "m²". */
const ROMAN = /\p{Nl}/gu;
const SIGN = /\p{No}/gu;
/** "9k" is another number than 9. */
const THOUSANDS = /(?<=\p{Nd})[kк](?!\p{L})/giu;

export function numbersIn(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(THOUSANDS, '000')
    .replaceAll(SPELLED_OUT, digits => digits.replaceAll(/\P{Nd}/gu, ''));
  const numbers = (plain.match(NUMBER) ?? []).map(number => number.replaceAll(/\p{Nd}/gu, toAscii));
  return [...numbers, ...(text.match(ROMAN) ?? []), ...(plain.match(SIGN) ?? [])];
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
  if (!/\d/.test(number)) return [number];
  const joined = number.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return /[.,]\d{1,2}$/.test(number) ? [joined, joined.replace(/(?<!0)0+$/, '')] : [joined];
}

/** The parts of a date, an hour or a range. */
function partsOf(number: string): string[] {
  if (GROUPED.test(number) || !/\d/.test(number)) return spellingsOf(number);
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
