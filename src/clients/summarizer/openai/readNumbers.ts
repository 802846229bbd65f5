import { findHour } from '../days/findWhen.ts';

/** A number with its separators: "1,700", "2 900", "17:05". A space is only before three digits. */
const NUMBER = /\p{Nd}+(?:(?:[.,:'’/-]\p{Nd}+)|(?:[ \u00A0\u202F]\p{Nd}{3}(?!\p{Nd})))*/gu;
/** Separators of thousands only. */
const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
/** Single digits that spell out a number: "0 1 7 6", "(1) (2) (3) (4)". */
const SPELLED_OUT = /(?<!\p{Nd})\p{Nd}(?:[^\p{L}\p{Nd}]{1,3}\p{Nd}(?!\p{Nd})){3,40}/gu;
/** Numbers that are no digits: "Ⅿ", and "➀", which is none in another form either, unlike the "²" of "m²". */
const ROMAN = /\p{Nl}/gu;
const SIGN = /\p{No}/gu;
/** "1.8k" is 1800: another number than 1 and 8. */
const THOUSANDS = /(?<![\p{Nd}.,])(\p{Nd}{1,6})(?:[.,](\p{Nd}))?[kк](?!\p{L})/giu;
/** "3 bin", "35 mil", "15 тыс.": which thousands go without saying differs. */
const IN_WORDS =
  /(?<![\p{Nd}.,])(\p{Nd}{1,6})(?:[.,](\p{Nd}))? ?(?:(?:тыс|тис|tys)\p{L}{0,4}|mil|mila|bin|tsd|tausend|thousand)(?!\p{L})/giu;
const timesThousand = (whole: string, tenths = '0') => `${whole}${tenths}00`;

/** Everything that a message may mean by its numbers: also "15" by "15k", and 3000 by "3 bin". */
export function numbersSaidIn(text: string): string[] {
  const plain = text.normalize('NFKC');
  const inWords = [...plain.matchAll(IN_WORDS)].map(([, whole = '', tenths]) => timesThousand(whole, tenths));
  const bare = [...plain.matchAll(THOUSANDS)].map(([, whole = '', tenths]) => (tenths ? `${whole}.${tenths}` : whole));
  return [...numbersIn(text), ...inWords, ...bare];
}

/** The numbers of a text, in ASCII digits, with their separators. */
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
export function pricesIn(text: string): Set<string> {
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
export function spellingsOf(number: string): string[] {
  if (!/\d/.test(number)) return [number];
  const [, whole, decimals] = /^(.*\d)[.,](\d{1,2})$/.exec(number) ?? [];
  const joined = (whole ?? number).replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const rest = (decimals ?? '').replace(/0{1,2}$/, '');
  return [rest === '' ? joined : `${joined}.${rest}`];
}

/** The parts of a date, an hour or a range. */
export function partsOf(number: string): string[] {
  if (GROUPED.test(number) || !/\d/.test(number)) return spellingsOf(number);
  return number
    .split(/\D+/)
    .filter(Boolean)
    .map(part => part.replace(/^0+(?=\d)/, ''));
}

/** Whole numbers one after another, as those of a telephone: one number, whatever each of them is elsewhere. */
const ROW =
  /(?<![\p{L}\p{Nd}.,:])\p{Nd}{1,12}(?:[-–/ ()\u00A0\u202F]{1,3}\p{Nd}{1,12}(?![.,:]?\p{Nd})){2,20}(?![\p{L}\p{Nd}])/gu;
const DATE = /^(?:\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:\d{2}|\d{4}))$/;

/** Those of a text, but no dates. */
export function rowsIn(text: string): string[] {
  return (text.normalize('NFKC').match(ROW) ?? []).filter(row => !DATE.test(row) && !GROUPED.test(row));
}

/** In ASCII, without anything else. */
export function digitsOf(text: string): string {
  return (text.match(/\p{Nd}/gu) ?? []).map(toAscii).join('');
}

/** The digits of a message, joined where no words are in between. */
export function runsOf(text: string): string[] {
  return text.normalize('NFKC').split(/\p{L}/u).map(digitsOf).filter(Boolean);
}

/** In small letters. */
export function wordsIn(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** HH:MM, as people say hours, on both halves of the day: "half past eight" is 08:30 and 20:30. */
export function hoursIn(text: string, language: string): string[] {
  return text.split(/[.,;!?\n](?!\p{Nd})/u).flatMap(part => {
    const time = findHour(part, language);
    if (!time) return [];
    const [hour = 0] = time.split(':').map(Number);
    return [time, `${String((hour + 12) % 24).padStart(2, '0')}${time.slice(2)}`];
  });
}

/** A word for a thousand or more, as Intl writes large numbers in that language. */
export function saysLarge(text: string, language: string): boolean {
  const large = largeWords(language);
  // "Neuntausend" is one word.
  const isLarge = (word: string) =>
    large.has(word) || (word.length > LONG && [...large].some(one => one.length >= LONG && word.endsWith(one)));
  return wordsIn(text).some(isLarge);
}

/** Letters. */
const LONG = 7;
const SLANG: Record<string, string[]> = { en: ['grand'] };

const large = new Map<string, ReadonlySet<string>>();

function largeWords(language: string): ReadonlySet<string> {
  const [locale = 'en'] = Intl.NumberFormat.supportedLocalesOf(language);
  const known = large.get(locale);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay: 'long' });
  const numbers = [1e3, 1e6, 1e9].flatMap(size => [1, 2, 5].map(count => count * size));
  const words = numbers.flatMap(number =>
    format.formatToParts(number).flatMap(({ type, value }) => (type === 'compact' ? wordsIn(value) : [])),
  );
  const made = new Set([...words, ...(SLANG[locale] ?? [])]);
  large.set(locale, made);
  return made;
}
