import { oncePer } from '../../../lib/once.ts';
import { fold, wordsOf } from '../cleaning.ts';
import { findHour } from '../days/findWhen.ts';
import { LANGUAGES } from '../languages/types.ts';
import { WORDS } from '../languages/words.ts';
import { unitsBeside } from './units.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space is only before three digits. */
const NUMBER = /\d+(?:[.,:'’/-]\d+|[ \u00A0\u202F]\d{3}(?!\d))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Single digits that spell out a number: "0 1 7 6", "(1) (2) (3) (4)". */
const SPELLED_OUT = /(?<!\d)\d(?:[^\p{L}\d]{1,3}\d(?!\d)){3,40}/gu;
/** "1.8k" is 1800: another number than 1 and 8. */
const THOUSANDS = /(?<![\d.,])(\d{1,6})(?:[.,](\d))?[kк](?!\p{L})/giu;
/** "3 bin", "35 mil", "15 тыс.": which thousands go without saying differs. */
const IN_WORDS =
  /(?<![\d.,])(\d{1,6})(?:[.,](\d))? ?(?:(?:тыс|тыр|тис|tys)\p{L}{0,4}|mil|mila|bin|tsd|tausend|thousand)(?!\p{L})/giu;
/** Whole numbers one after another, as those of a telephone: one number, whatever each of them is elsewhere. */
const ROW = /(?<![\p{L}\d.,:])\d{1,12}(?:[-–/ ()\u00A0\u202F]{1,3}\d{1,12}(?![.,:]?\d)){2,20}(?![\p{L}\d])/gu;
const DATE = /^(?:\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:\d{2}|\d{4}))$/;
const CHINESE_LARGE = /[一二三四五六七八九十两兩数][百千万萬億亿]/u;

export type Figure = {
  /** "1,700" and "1.700" are 1700, "4,50" is 4.5. */
  value: string;
  /** Of a date, an hour or a range; else the value. */
  parts: string[];
  /** As it is written, in ASCII. */
  written: string;
  index: number;
  /** Of the currencies and the like beside it. */
  units: string[];
};

/** The numbers of a text, in order. */
export function figuresIn(text: string, language: string): Figure[] {
  const plain = asciiOf(text)
    .replaceAll(THOUSANDS, (_, whole: string, tenths: string | undefined) => timesThousand(whole, tenths))
    .replaceAll(SPELLED_OUT, digits => digits.replaceAll(/\D/g, ''));
  return [...plain.matchAll(NUMBER)].map(({ 0: written, index }) => {
    const units = unitsBeside(plain, index, index + written.length, language);
    return { value: plainValue(written), parts: partsOf(written), written, index, units };
  });
}

/** Everything that a message may mean by its numbers: also "15" by "15k", 3000 by "3 bin", and 9 by "nine". */
export function figuresSaidIn(text: string, language: string): Figure[] {
  const plain = asciiOf(text);
  const inWords = [...plain.matchAll(IN_WORDS)].map(([, whole = '', tenths]) => timesThousand(whole, tenths));
  const short = [...plain.matchAll(THOUSANDS)].map(([, whole = '', tenths]) => (tenths ? `${whole}.${tenths}` : whole));
  return [...figuresIn(text, language), ...[...inWords, ...short, ...numbersInWords(text, language)].map(bare)];
}

const bare = (value: string): Figure => ({ value, parts: [value], written: value, index: -1, units: [] });
const timesThousand = (whole: string, tenths = '0') => `${whole}${tenths}00`;
const plainNumber = (digits: string) => digits.replace(/^0+(?=\d)/, '');

/** In compatible forms and ASCII digits: the ten digits of a script are in a row. */
function asciiOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/(?!\d)\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) ?? 0;
    const isDigit = (away: number) => /\p{Nd}/u.test(String.fromCodePoint(code - away));
    return String([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].findIndex(away => !isDigit(away)));
  });
}

/** Without separators of thousands; with a point before decimals that are not zeros. */
function plainValue(number: string): string {
  const [, whole, decimals] = /^(.*\d)[.,](\d{1,2})$/.exec(number) ?? [];
  const joined = plainNumber((whole ?? number).replaceAll(/\D/g, ''));
  const rest = (decimals ?? '').replace(/0{1,2}$/, '');
  return rest === '' ? joined : `${joined}.${rest}`;
}

function partsOf(number: string): string[] {
  return GROUPED.test(number) ? [plainValue(number)] : number.split(/\D+/).filter(Boolean).map(plainNumber);
}

/** The small numbers as languages write them out, from two on ("one" is an article in most). */
const SMALL = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 30];
const smallWords = oncePer((language: string) => {
  const words = WORDS[language]?.numbers?.split(' ') ?? [];
  return new Map(words.flatMap((forms, at) => forms.split('/').map(form => [form, String(SMALL[at])] as const)));
});

export function numbersInWords(text: string, language: string): string[] {
  return wordsOf(fold(text, language)).flatMap(word => smallWords(language).get(word) ?? []);
}

/** The rows of a text, but no dates. */
export function rowsIn(text: string): string[] {
  return (asciiOf(text).match(ROW) ?? []).filter(row => !DATE.test(row) && !GROUPED.test(row));
}

export const digitsOf = (text: string) => asciiOf(text).replaceAll(/\D/g, '');

/** The digits of a message, joined where no words are in between. */
export function runsOf(text: string): string[] {
  return text.normalize('NFKC').split(/\p{L}/u).map(digitsOf).filter(Boolean);
}

/** HH:MM, as people say hours. */
export function hoursIn(text: string, language: string): string[] {
  return text.split(/[.,;!?\n](?!\p{Nd})/u).flatMap(part => findHour(part, language) ?? []);
}

/** The same hour on the other half of the day: "half past eight" is 08:30 and 20:30. */
export function otherHalf(hour: string): string {
  return `${String((Number(hour.slice(0, 2)) + 12) % 24).padStart(2, '0')}${hour.slice(2)}`;
}

export function lettersIn(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Letters. "Neuntausend" is one word. */
const LONG = 7;

/** The words of a text for a thousand and more, as Intl writes large numbers in these languages. */
export function largeWordsIn(text: string, languages: readonly string[] = LANGUAGES): string[] {
  const large = languages.flatMap(language => [...largeWords(language)]);
  const long = large.filter(word => word.length >= LONG);
  const isLarge = (word: string) =>
    large.includes(word) || (word.length > LONG && long.some(one => word.endsWith(one)));
  return [...lettersIn(text).filter(isLarge), ...(text.match(CHINESE_LARGE) ?? [])];
}

const largeWords = oncePer((language: string): ReadonlySet<string> => {
  const [locale = 'en'] = Intl.NumberFormat.supportedLocalesOf(language);
  const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay: 'long' });
  const parts = [1e3, 2e3, 5e3, 1e6, 2e6, 5e6, 1e9, 2e9, 5e9].flatMap(number => format.formatToParts(number));
  const named = parts.flatMap(({ type, value }) => (type === 'compact' ? lettersIn(value) : []));
  return new Set([...named, ...(WORDS[locale]?.thousand?.split(' ') ?? [])]);
});
