import { once, oncePer } from '../../../lib/once.ts';
import { fold } from '../cleaning.ts';
import { WORD_PATTERNS } from './words.ts';

/** Values of `numbers` in {@link WORD_PATTERNS}. */
const NUMBERS = [...Array(21).keys(), 30, 40, 50, 60, 70, 80, 90, 100, 1e3, 1e6, 1e9];

const numbersOf = oncePer((language: string) => {
  const words = WORD_PATTERNS[language]?.numbers?.split(' ') ?? [];
  const named = words.flatMap((forms, at) => forms.split('/').map(form => [form, NUMBERS[at] ?? 0] as const));
  return new Map(named.filter(([form]) => /\p{L}/u.test(form)));
});

/** Between parts of one number, where a language says it there. */
const AND: Record<string, string> = {
  de: 'und',
  el: 'και',
  en: 'and',
  es: 'y',
  fr: 'et',
  it: 'e',
  nl: 'en',
  pt: 'e',
  ro: 'și',
  sv: 'och',
};

/** "Seven", "twenty-five", "two hundred thousand", "three hundred and fifty", "neuntausend", "3 bin" */
const numberPattern = oncePer((language: string) => {
  const words = [...numbersOf(language)].toSorted(([one], [other]) => other.length - one.length);
  const oneOf = (all: typeof words) => all.map(([word]) => RegExp.escape(word)).join('|') || '(?!)';
  const large = oneOf(words.filter(([, value]) => value >= 100));
  const joiner = AND[language] ? `(?:${AND[language]} )?` : '';
  // "К" is also "to" in Russian, and "k" in Czech.
  const thousand = /^(?:ru|uk|cs|pl)$/.test(language) ? '[kк]' : '[ -]?k';
  const run = `(?:${oneOf(words)})(?:[ -]?${joiner}(?:${oneOf(words)})){0,11}`;
  return new RegExp(`(?<![\\p{L}\\d.,])(?:(\\d+(?:[.,]\\d+)*)(?:[ -]?(${large})|(${thousand}))?|${run})(?!\\p{L})`, 'giu');
});

/** A text with the numbers that a language writes as words in digits, as long as it was where these are shorter. */
export function writeNumbersInDigits(text: string, language: string): string {
  const known = numbersOf(language);
  const word = wordPattern(language);
  return text.replaceAll(numberPattern(language), (whole: string, figure?: string, large?: string, k?: string) => {
    if (figure) {
      const factor = k ? 1000 : (known.get(fold(large ?? '', language)) ?? 1);
      const plain = Number(figure.replaceAll(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.'));
      // "20 cents" are no 2000; 16.1 thousand are a little more than 16,100 in binary.
      return factor < 1000 ? whole : String(Number((plain * factor).toPrecision(12))).padStart(whole.length);
    }
    const values = (whole.match(word) ?? []).flatMap(one => known.get(fold(one, language)) ?? []);
    // "Hundreds", "grand" and "mil" alone are no numbers.
    return values.every(value => value >= 100) ? whole : addUp(values).join(' ').padStart(whole.length);
  });
}

const wordPattern = oncePer((language: string) => {
  const words = [...numbersOf(language).keys()].toSorted((one, other) => other.length - one.length);
  return new RegExp(words.map(word => RegExp.escape(word)).join('|') || '(?!)', 'giu');
});

/** The numbers that number words in a row make: 2, 1000, 3, 100, 50 are 2350; 2, 100, 3, 100 are 200 and 300. */
function addUp(values: number[]): number[] {
  const numbers: number[] = [];
  let [total, scale, hundreds] = [0, Number.POSITIVE_INFINITY, 0];
  let rest: number | undefined;
  const end = (sum: number) => {
    numbers.push(sum);
    [total, scale, hundreds] = [0, Number.POSITIVE_INFINITY, 0];
  };
  for (const value of values) {
    if (value < 100) {
      const isUnit = rest !== undefined && rest >= 20 && rest % 10 === 0 && value > 0 && value < 10;
      if (rest !== undefined && !isUnit) end(total + hundreds + rest);
      rest = isUnit ? (rest ?? 0) + value : value;
    } else if (value === 100) {
      if (hundreds > 0) end(total + hundreds);
      hundreds = (rest ?? 1) * 100;
      rest = undefined;
    } else {
      const part = hundreds + (rest ?? (hundreds > 0 ? 0 : 1));
      if (value >= scale) end(total);
      [total, scale, hundreds] = [total + part * value, value, 0];
      rest = undefined;
    }
  }
  if (rest !== undefined || hundreds > 0 || total > 0) end(total + hundreds + (rest ?? 0));
  return numbers;
}

/** For a thousand and more, in any language. */
export const listLargeWords = once(() => {
  const words = Object.keys(WORD_PATTERNS).flatMap(language => [...numbersOf(language)]);
  return words.flatMap(([word, value]) => (value >= 1000 ? word : []));
});
