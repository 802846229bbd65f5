import { daysNamedIn } from '../days/calendar.ts';
import { findHour } from '../days/findWhen.ts';
import { largeWords, wordsInDigits } from '../languages/numbers.ts';
import { adjacentUnits } from './units.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space is only before three digits. */
const NUMBER = /\d+(?:[.,:'’/-]\d+|[ \u00A0\u202F]\d{3}(?!\d))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Single digits that spell out a number: "0 1 7 6", "(1) (2) (3) (4)". */
const SPELLED_OUT = /(?<!\d)\d(?:[^\p{L}\d]{1,3}\d(?!\d)){3,40}/gu;
/** "15k" may be about 15; "2.5m" is an amount where it is said, and a length in a digest. */
const SHORT = /(?<![\d.,])(\d{1,6}(?:[.,]\d)?)(?:([kк])|m)(?!\p{L})/giu;
/** Whole numbers one after another, as those of a telephone: one number, whatever each of them is elsewhere. */
const ROW = /(?<![\p{L}\d.,:])\d{1,12}(?:[-–/ ()\u00A0\u202F]{1,3}\d{1,12}(?![.,:]?\d)){2,20}(?![\p{L}\d])/gu;
const DATE = /^(?:\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:\d{2}|\d{4}))$/;
const CHINESE_LARGE = /[一二三四五六七八九十两兩数][百千万萬億亿]/u;
const CHINESE_DIGITS = /[〇一二三四五六七八九]{3,40}/gu;

export type Figure = {
  /** "1,700" and "1.700" are 1700, "4,50" is 4.5. */
  value: string;
  /** The numbers of a date, an hour or a range; otherwise the value alone. */
  parts: string[];
  /** Original spelling, in ASCII. */
  written: string;
  index: number;
  /** The currencies and other units next to it. */
  units: string[];
};

/** The numbers of a text, in order. */
export function figuresIn(text: string, language: string): Figure[] {
  const read = inDigits(withoutDayNames(text, language), language);
  const plain = read.replaceAll(SPELLED_OUT, digits => digits.replaceAll(/\D/g, ''));
  return [...plain.matchAll(NUMBER)].map(({ 0: written, index }) => {
    const units = adjacentUnits(plain, index, index + written.length, language);
    return { value: plainValue(written), parts: splitNumber(written), written, index, units };
  });
}

/** In "1 dez" the month is no ten. */
function withoutDayNames(text: string, language: string): string {
  const cover = (read: string, { word, index }: { word: string; index: number }) =>
    read.slice(0, index) + 'x'.repeat(word.length) + read.slice(index + word.length);
  return daysNamedIn(text, language).reduce(cover, text);
}

/** Everything that a message may mean by its numbers: also "15" by "15k". */
export function figuresAndWordsIn(text: string, language: string): Figure[] {
  const short = [...toAscii(text).matchAll(SHORT)].map(([, number = '', thousands]) => {
    return String(Number(plainValue(number)) * (thousands ? 1 : 1e6));
  });
  const bare = short.map(value => ({ value, parts: [value], written: value, index: -1, units: [] }));
  return [...figuresIn(text, language), ...bare];
}

const plainNumber = (digits: string) => digits.replace(/^0+(?=\d)/, '');

/** Compatibility forms as ASCII digits: the ten digits of each script are consecutive. */
function toAscii(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replaceAll(CHINESE_DIGITS, row => [...row].map(digit => '〇一二三四五六七八九'.indexOf(digit)).join(''));
  return plain.replaceAll(/(?!\d)\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) ?? 0;
    const isDigit = (away: number) => /\p{Nd}/u.test(String.fromCodePoint(code - away));
    return String([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].findIndex(away => !isDigit(away)));
  });
}

/** Removes thousands separators; keeps a decimal point only before nonzero decimals. */
function plainValue(number: string): string {
  const [, whole, decimals] = /^(.*\d)[.,](\d{1,2})$/.exec(number) ?? [];
  const joined = plainNumber((whole ?? number).replaceAll(/\D/g, ''));
  const rest = (decimals ?? '').replace(/0{1,2}$/, '');
  return rest === '' ? joined : `${joined}.${rest}`;
}

function splitNumber(number: string): string[] {
  return GROUPED.test(number) ? [plainValue(number)] : number.split(/\D+/).filter(Boolean).map(plainNumber);
}

/** ASCII text with number words as digits, at the same positions as far as these are shorter. */
export const inDigits = (text: string, language: string) => wordsInDigits(toAscii(text), language);

/** The rows of texts, but no dates. */
export function digitRunsIn(texts: string[]): string[] {
  const rows = texts.flatMap(text => text.replaceAll(/ +/g, ' ').match(ROW) ?? []);
  return rows.filter(row => !DATE.test(row) && !GROUPED.test(row));
}

export const onlyDigits = (text: string) => text.replaceAll(/\D/g, '');

/** The digits of a message, joined where no words are in between. */
export function digitRuns(text: string, language: string): string[] {
  const parts = [toAscii(text), inDigits(text, language)].flatMap(read => read.split(/\p{L}/u));
  return parts.map(onlyDigits).filter(Boolean);
}

/** HH:MM, as people say hours. */
export function hoursIn(text: string, language: string): string[] {
  return text.split(/[.,;!?\n](?!\p{Nd})/u).flatMap(part => findHour(part, language) ?? []);
}

/** The hour twelve hours later or earlier: "half past eight" is 08:30 or 20:30. */
export function otherHalf(hour: string): string {
  return `${String((Number(hour.slice(0, 2)) + 12) % 24).padStart(2, '0')}${hour.slice(2)}`;
}

export function lettersIn(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Letters. "Anderthalbtausend" is one word. */
const LONG = 7;

/** The words of a text for a thousand and more in any language. */
export function largeWordsIn(text: string): string[] {
  const long = largeWords().filter(word => word.length >= LONG);
  const isLarge = (word: string) => largeWords().includes(word) || long.some(one => word.includes(one));
  return [...lettersIn(text).filter(isLarge), ...(text.match(CHINESE_LARGE) ?? [])];
}
