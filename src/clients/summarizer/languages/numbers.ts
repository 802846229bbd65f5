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

/** "Seven", "twenty-five", "nine thousand", "neuntausend", "3 bin" */
const numberPattern = oncePer((language: string) => {
  const oneOf = (isOne: (value: number) => boolean) => {
    const words = [...numbersOf(language)].flatMap(([word, value]) => (isOne(value) ? RegExp.escape(word) : []));
    return words.join('|') || '(?!)';
  };
  const [small, large] = [oneOf(value => value < 100), oneOf(value => value >= 100)];
  const number = `(?:(\\d+(?:[.,]\\d+)*)|(${small})(?:[ -](${small}))?)(?:[ -]?(${large}))?`;
  return new RegExp(`(?<![\\p{L}\\d.,])${number}(?!\\p{L})`, 'giu');
});

/** A text with the numbers that a language writes as words in digits, as long as it was where these are shorter. */
export function writeNumbersInDigits(text: string, language: string): string {
  const numberOf = (word = '') => numbersOf(language).get(fold(word, language));
  type Words = (string | undefined)[];
  return text.replaceAll(numberPattern(language), (whole: string, figure, ...[tens, unit, large]: Words) => {
    const factor = numberOf(large) ?? 1;
    // "20 cents" are no 2000.
    if (figure && factor < 1000) return whole;
    const plain = figure?.replaceAll(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.');
    const [first = 0, second = 0] = plain ? [Number(plain)] : [numberOf(tens), numberOf(unit)];
    const isSum = first % 10 === 0 && first > 0 && second < 10;
    const value = isSum || !unit ? `${(first + second) * factor}` : `${first} ${second * factor}`;
    return value.padStart(whole.length);
  });
}

/** For a thousand and more, in any language. */
export const listLargeWords = once(() => {
  const words = Object.keys(WORD_PATTERNS).flatMap(language => [...numbersOf(language)]);
  return words.flatMap(([word, value]) => (value >= 1000 && word.length > 1 ? word : []));
});
