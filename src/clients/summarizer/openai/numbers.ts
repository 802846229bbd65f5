import { Temporal } from 'temporal-polyfill';
import type { MessengerMessage } from '../../messenger/types.ts';
import { hourOf } from '../builtIn/hours.ts';
import { fold } from '../cleaning.ts';
import { KNOWN, lexiconOf } from '../languages/lexicon.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space only stands before three digits. */
const NUMBER = /\p{Nd}+(?:(?:[.,:'’/-]\p{Nd}+)|(?:[ \u00A0\u202F]\p{Nd}{3}(?!\p{Nd})))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Smaller numbers are counts, or were said in words: as many in a text, more are a code. */
const SMALLEST = 13;
const MOST_COUNTS = 3;

/** Stands for hundreds and more in words: which number they are is not read, a round one must be in figures. */
const LARGE = 'large';
const CHINESE_LARGE = /[一二三四五六七八九十两兩数][百千万萬億亿]/u;
const isRound = (number: string) => Number(number) >= 100 && Number(number) % 100 === 0;

/** Whole numbers one after another, as those of a telephone: one number, whatever each of them is elsewhere. */
const ROW =
  /(?<![\p{L}\p{Nd}.,:])\p{Nd}{1,12}(?:[-–/ ()\u00A0\u202F]{1,3}\p{Nd}{1,12}(?![.,:]?\p{Nd})){2,20}(?![\p{L}\p{Nd}])/gu;
const DATE = /^(?:\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:\d{2}|\d{4}))$/;

function rowsIn(text: string): string[] {
  return (text.normalize('NFKC').match(ROW) ?? []).filter(row => !DATE.test(row) && !GROUPED.test(row));
}

function digitsOf(text: string): string {
  return (text.match(/\p{Nd}/gu) ?? []).map(toAscii).join('');
}

/** The digits of a message, joined where no words are in between. */
function runsOf(text: string): string[] {
  return text.normalize('NFKC').split(/\p{L}/u).map(digitsOf).filter(Boolean);
}

/** "Zero one seven six": as many digits in words, in whichever language, are a number. */
const FEWEST_SPOKEN = 4;

function spokenRowsIn(text: string): string[] {
  const rows: string[][] = [[]];
  for (const word of wordsIn(text))
    if (isDigit(word)) rows.at(-1)?.push(word);
    else rows.push([]);
  return rows.filter(row => row.length >= FEWEST_SPOKEN).map(row => row.join(' '));
}

function wordsIn(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

const isDigit = (word: string) => KNOWN.some(code => lexiconOf(code).acts.digits.test(fold(word, code)));

type Said = {
  messages: Pick<MessengerMessage, 'id' | 'senderName' | 'text' | 'sentAt'>[];
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
  const saysLargeIn = (text: string, codes: readonly string[]) =>
    codes.some(code => lexiconOf(code).acts.large.test(fold(text, code)));
  const said = new Set(messages.flatMap(({ senderName, text }) => wordsIn(`${senderName} ${text}`)));
  /** In any language, but a word that people here use may be another one in theirs. */
  const saysLarge = (text: string) =>
    CHINESE_LARGE.test(text) ||
    saysLargeIn(text, [...new Set([language, 'en'])]) ||
    saysLargeIn(
      wordsIn(text)
        .filter(word => !said.has(word))
        .join(' '),
      KNOWN,
    );
  const moments = messages.flatMap(({ sentAt }) => momentsOf(sentAt, timezone));
  const anywhere = new Set([...new Set([...days, ...moments])].flatMap(partsOf));
  const saidIn = new Map<string, string[]>();
  for (const { id, text } of messages) {
    const numbers = new Set(numbersSaidIn(text).flatMap(found => [...spellingsOf(found), ...partsOf(found)]));
    if (saysLarge(text) || [...numbers].some(isRound)) numbers.add(LARGE);
    for (const number of numbers) {
      const ids = saidIn.get(number) ?? [];
      saidIn.set(number, ids);
      ids.push(String(id));
    }
  }
  const hours = new Set(messages.flatMap(({ text }) => hoursIn(text, language)));
  const isHour = (number: string) =>
    hours.has(
      number
        .replace(/^(\d{1,2})$/, '$1:00')
        .replace(/^(\d)(?=\D)/, '0$1')
        .replace('.', ':'),
    );
  const isRowSaid = (row: string) => messages.some(({ text }) => runsOf(text).some(run => run.includes(digitsOf(row))));
  const isSpoken = (row: string) => messages.some(({ text }) => wordsIn(text).join(' ').includes(row));
  /** Empty for a number that needs no message, undefined for one that no one wrote. */
  const sourcesOf = (number: string): string[] | undefined => {
    if (anywhere.has(number)) return [];
    return saidIn.get(number) ?? (isSmall(number) ? [] : undefined);
  };
  return (text, cited = []) => {
    const isCited = (ids: string[]) => ids.length === 0 || ids.some(id => cited.includes(id));
    const checked: Checked = { elsewhere: [], foreign: [] };
    const prices = pricesIn(text);
    for (const number of [...numbersIn(text), ...(saysLarge(text) ? [LARGE] : [])]) {
      if (isHour(number) && !prices.has(number)) continue;
      const whole = spellingsOf(number).flatMap(spelling => sourcesOf(spelling) ?? []);
      const isWhole = spellingsOf(number).some(spelling => sourcesOf(spelling) !== undefined);
      const parts = isWhole ? [whole] : prices.has(number) ? [undefined] : partsOf(number).map(sourcesOf);
      if (parts.includes(undefined)) checked.foreign.push(number);
      else for (const ids of parts) if (ids && !isCited(ids)) checked.elsewhere.push(ids.at(-1) ?? '');
    }
    const counts = numbersIn(text).filter(number => isSmall(number) && !saidIn.has(number));
    if (counts.length > MOST_COUNTS) checked.foreign.push(...counts);
    checked.foreign.push(
      ...rowsIn(text).filter(row => !isRowSaid(row)),
      ...spokenRowsIn(text).filter(row => !isSpoken(row)),
    );
    return checked;
  };
}

/** HH:MM, as people say hours, on both halves of the day: "half past eight" is 08:30 and 20:30. */
function hoursIn(text: string, language: string): string[] {
  const lexicon = lexiconOf(language);
  return text.split(/[.,;!?\n](?!\p{Nd})/u).flatMap(part => {
    const time = hourOf(fold(part, lexicon.code), lexicon)?.time;
    if (!time) return [];
    const [hour = 0] = time.split(':').map(Number);
    return [time, `${String((hour + 12) % 24).padStart(2, '0')}${time.slice(2)}`];
  });
}

function isSmall(number: string): boolean {
  return /^\d+$/.test(number) && Number(number) < SMALLEST;
}

/** Single digits that spell out a number: "0 1 7 6", "(1) (2) (3) (4)". */
const SPELLED_OUT = /(?<!\p{Nd})\p{Nd}(?:[^\p{L}\p{Nd}]{1,3}\p{Nd}(?!\p{Nd})){3,40}/gu;
/** Numbers that are no digits: "Ⅿ", and "➀", which is none in another form either, unlike the "²" of "m²". */
const ROMAN = /\p{Nl}/gu;
const SIGN = /\p{No}/gu;
/** "1.8k" is 1800: another number than 1 and 8. */
const THOUSANDS = /(?<![\p{Nd}.,])(\p{Nd}{1,6})(?:[.,](\p{Nd}))?[kк](?!\p{L})/giu;
/** "3 bin", "35 mil", "15 тыс.": which thousands go without saying differs. */
const IN_WORDS =
  /(?<![\p{Nd}.,])(\p{Nd}{1,6})(?:[.,](\p{Nd}))? ?(?:тыс|тис|tys|mil|mila|bin|tsd|tausend|thousand)\p{L}{0,4}(?!\p{L})/giu;
const timesThousand = (whole: string, tenths = '0') => `${whole}${tenths}00`;

/** Everything that a message may mean by its numbers: also "15" by "15k", and 3000 by "3 bin". */
function numbersSaidIn(text: string): string[] {
  const plain = text.normalize('NFKC');
  const inWords = [...plain.matchAll(IN_WORDS)].map(([, whole = '', tenths]) => timesThousand(whole, tenths));
  const bare = [...plain.matchAll(THOUSANDS)].map(([, whole = '', tenths]) => (tenths ? `${whole}.${tenths}` : whole));
  return [...numbersIn(text), ...inWords, ...bare];
}

export function numbersIn(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(THOUSANDS, (_, whole: string, tenths: string | undefined) => timesThousand(whole, tenths))
    .replaceAll(SPELLED_OUT, digits => digits.replaceAll(/\P{Nd}/gu, ''));
  const numbers = (plain.match(NUMBER) ?? []).map(number => number.replaceAll(/\p{Nd}/gu, toAscii));
  return [...numbers, ...(text.match(ROMAN) ?? []), ...(plain.match(SIGN) ?? [])];
}

const PRICED_BEFORE = /(?:\p{Sc}|(?<!\p{L})[A-Z]{3})[ \u00A0\u202F]?$/u;
const PRICED_AFTER = /^[ \u00A0\u202F]?(?:\p{Sc}|[A-Z]{3}(?!\p{L}))/u;
const BESIDE = 5;

/** The numbers beside a currency: they are no dates, nor of several parts. */
function pricesIn(text: string): Set<string> {
  const plain = text.normalize('NFKC');
  const priced = [...plain.matchAll(NUMBER)].filter(({ 0: number, index }) => {
    const end = index + number.length;
    const before = plain.slice(Math.max(0, index - BESIDE), index);
    return PRICED_BEFORE.test(before) || PRICED_AFTER.test(plain.slice(end, end + BESIDE));
  });
  return new Set(priced.map(([number]) => number.replaceAll(/\p{Nd}/gu, toAscii)));
}

/** The ten digits of a script are in a row. */
function toAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** The number without separators of thousands; with a point before decimals that are not zeros, where it has a decimal point. */
function spellingsOf(number: string): string[] {
  if (!/\d/.test(number)) return [number];
  const [, whole, decimals] = /^(.*\d)[.,](\d{1,2})$/.exec(number) ?? [];
  const joined = (whole ?? number).replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const rest = (decimals ?? '').replace(/0{1,2}$/, '');
  return [rest === '' ? joined : `${joined}.${rest}`];
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
