import { findNamedDays } from '../days/calendar.ts';
import { findHour } from '../days/findWhen.ts';
import { listLargeWords, writeNumbersInDigits } from '../languages/numbers.ts';
import { WORDS } from '../languages/stopwords.ts';
import { findAdjacentUnits } from './units.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space is only before three digits. */
const NUMBER = /\d+(?:[.,:'’/-]\d+|[ \u00A0\u202F]\d{3}(?!\d))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Single digits that spell out a number: "0 1 7 6", "(1) (2) (3) (4)". */
const SPELLED_OUT = /(?<!\d)\d(?:[^\p{L}\d]{1,3}\d(?!\d)){3,40}/gu;
/** Abbreviated thousands and millions in messages: "15k", "2.5m". */
const ABBREVIATED = /(?<![\d.,])(\d{1,6}(?:[.,]\d)?)(?:([kк])|m)(?!\p{L})/giu;
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
export function findFigures(text: string, language: string): Figure[] {
  const read = writeInDigits(withoutDayNames(text, language), language);
  const plain = read.replaceAll(SPELLED_OUT, digits => digits.replaceAll(/\D/g, ''));
  return [...plain.matchAll(NUMBER)].map(({ 0: written, index }) => {
    const units = findAdjacentUnits(plain, index, index + written.length, language);
    return { value: plainValue(written), parts: splitNumber(written), written, index, units };
  });
}

/** Covers month and weekday names, which may look like number words: "dez" is also ten in Portuguese. */
function withoutDayNames(text: string, language: string): string {
  const cover = (read: string, { word, index }: { word: string; index: number }) =>
    read.slice(0, index) + 'x'.repeat(word.length) + read.slice(index + word.length);
  return findNamedDays(text, language).reduce(cover, text);
}

/** The numbers of a message, and the full values of abbreviated ones: both 15 and 15000 for "15k". */
export function findPossibleFigures(text: string, language: string): Figure[] {
  const short = [...toAscii(text).matchAll(ABBREVIATED)].map(([, number = '', thousands]) => {
    return String(Number((Number(plainValue(number)) * (thousands ? 1 : 1e6)).toPrecision(12)));
  });
  const bare = short.map(value => ({ value, parts: [value], written: value, index: -1, units: [] }));
  return [...findFigures(text, language), ...bare];
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
export const writeInDigits = (text: string, language: string) => writeNumbersInDigits(toAscii(text), language);

/** Rows of several numbers, as in phone numbers, but no dates and no grouped thousands. */
export function findDigitRows(texts: string[]): string[] {
  const rows = texts.flatMap(text => text.replaceAll(/ +/g, ' ').match(ROW) ?? []);
  return rows.filter(row => !DATE.test(row) && !GROUPED.test(row));
}

export const keepDigits = (text: string) => text.replaceAll(/\D/g, '');

/** The digits of a message, joined where no words are in between. */
export function findDigitRuns(text: string, language: string): string[] {
  const parts = [toAscii(text), writeInDigits(text, language)].flatMap(read => read.split(/\p{L}/u));
  return parts.map(keepDigits).filter(Boolean);
}

/** HH:MM, as people say hours. */
export function findHours(text: string, language: string): string[] {
  return text.split(/[.,;!?\n](?!\p{Nd})/u).flatMap(part => findHour(part, language) ?? []);
}

/** The hour twelve hours later or earlier: "half past eight" is 08:30 or 20:30. */
export function shiftHalfDay(hour: string): string {
  return `${String((Number(hour.slice(0, 2)) + 12) % 24).padStart(2, '0')}${hour.slice(2)}`;
}

export function listWords(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.match(WORDS) ?? [];
}

/** Letters. "Anderthalbtausend" is one word. */
const LONG = 7;

/** The words of a text for a thousand and more in any language. */
export function findLargeWords(text: string): string[] {
  const long = listLargeWords().filter(word => word.length >= LONG);
  const isLarge = (word: string) => listLargeWords().includes(word) || long.some(one => word.includes(one));
  return [...listWords(text).filter(isLarge), ...(text.match(CHINESE_LARGE) ?? [])];
}
