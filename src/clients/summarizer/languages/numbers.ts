import { once, oncePer } from '../../../lib/once.ts';
import { fold } from '../cleaning.ts';
import { WORD_PATTERNS } from './words.ts';

/** Values of `numbers` in {@link WORD_PATTERNS}. */
const NUMBERS = [...Array(21).keys(), 30, 40, 50, 60, 70, 80, 90, 100, 1e3, 1e6, 1e9];

const numbersOf = oncePer((language: string) => {
  const words = WORD_PATTERNS[language]?.numbers?.split(' ') ?? [];
  const named = words.flatMap((forms, at) => forms.split('/').map(form => [form, NUMBERS[at] ?? 0] as const));
  return new Map([...named.filter(([form]) => /\p{L}/u.test(form)), ['k', 1000], ['к', 1000]]);
});

/** "Seven", "twenty-five", "two hundred thousand", "three hundred and fifty", "neuntausend", "3 bin" */
const numberPattern = oncePer((language: string) => {
  const oneOf = (isOne: (value: number) => boolean) => {
    const words = [...numbersOf(language)].flatMap(([word, value]) => (isOne(value) ? RegExp.escape(word) : []));
    return words.join('|') || '(?!)';
  };
  const [small, large] = [oneOf(value => value < 100), oneOf(value => value >= 100)];
  const [smalls, larges] = [`(${small})(?:[ -](${small}))?`, `[ -]?(${large})(?:[ -](${large}))?`];
  const figure = `(\\d+(?:[.,]\\d+)*)(?:[ -]?(${large}))?`;
  const number = `${figure}|${smalls}(?:${larges}(?:[ -](?:(?:${AND}) )?${smalls}(?:${larges})?)?)?`;
  return new RegExp(`(?<![\\p{L}\\d.,])(?:${number})(?!\\p{L})`, 'giu');
});
const AND = 'and|und|et|y|e|en|i|og|och|a|și|и|і|й|та|ve|και';

/** A text with the numbers that a language writes as words in digits, as long as it was where these are shorter. */
export function writeNumbersInDigits(text: string, language: string): string {
  const numberOf = (word = '') => numbersOf(language).get(fold(word, language));
  /** Two words that make no sum, as "two five", are two numbers. */
  const readPair = (tens?: string, unit?: string): [before: string, value: number] => {
    const [first = 0, second = 0] = [numberOf(tens), numberOf(unit)];
    const isSum = !unit || (first % 10 === 0 && first > 0 && second < 10);
    return isSum ? ['', first + second] : [`${first} `, second];
  };
  const factorOf = (one?: string, other?: string) => (numberOf(one) ?? 1) * (numberOf(other) ?? 1);
  type Words = (string | undefined)[];
  return text.replaceAll(numberPattern(language), (whole: string, figure, large, ...words: Words) => {
    if (figure) {
      const factor = numberOf(large) ?? 1;
      const plain = Number(figure.replaceAll(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.'));
      // "20 cents" are no 2000; 16.1 thousand are a little more than 16,100 in binary.
      return factor < 1000 ? whole : String(Number((plain * factor).toPrecision(12))).padStart(whole.length);
    }
    const [tens, unit, one, other, restTens, restUnit, restOne, restOther] = words;
    const [before, first] = readPair(tens, unit);
    const [between, rest] = readPair(restTens, restUnit);
    const [factor, restFactor] = [factorOf(one, other), factorOf(restOne, restOther)];
    const isWhole = between === '' && restFactor > factor;
    const value = isWhole ? (first * factor + rest) * restFactor : first * factor + (between ? 0 : rest * restFactor);
    return `${before}${value}${between && ` ${between}${rest * restFactor}`}`.padStart(whole.length);
  });
}

/** For a thousand and more, in any language. */
export const listLargeWords = once(() => {
  const words = Object.keys(WORD_PATTERNS).flatMap(language => [...numbersOf(language)]);
  return words.flatMap(([word, value]) => (value >= 1000 && word.length > 1 ? word : []));
});
