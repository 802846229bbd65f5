import { fold } from '../cleaning.ts';
import { numbersIn } from '../openai/readNumbers.ts';
import { wordsOf } from '../words.ts';

/** What a text says in figures: amounts, quantities, dates, hours. */
export type Figures = {
  /** Whole numbers by value: "1,700" and "1.700" are 1700, "nine" is 9. */
  values: Set<string>;
  /** "4.50" is 4.5; it may as well be a date or an hour, by its parts. */
  fractions: { value: string; parts: string[] }[];
  /** The parts of dates, hours and ranges, each together. */
  groups: string[][];
  /** Euro, per cent and the like. */
  units: Set<string>;
  /** Numbers with their unit: "4.5 €". */
  amounts: Set<string>;
  /** "9" of "9h" and "9 am": no date has said it. */
  hours: Set<string>;
};

/** The small numbers as languages write them out, from two on ("one" is an article in most), then tens and more. */
const VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 30, 100, 1000, 1_000_000];
const WRITTEN: Record<string, string> = {
  en: 'two three four five six seven eight nine ten eleven twelve/dozen twenty thirty hundred thousand million/millions',
  de: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf/dutzend zwanzig dreißig hundert tausend million/millionen/mio',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce/docena veinte treinta cien mil millón/millones',
  fr: 'deux trois quatre cinq six sept huit neuf dix onze douze/douzaine vingt trente cent mille million/millions',
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta cento mille/mila milione/milioni',
  pt: 'dois/duas três quatro cinco seis sete oito nove dez onze doze vinte trinta cem mil milhão/milhões',
  ru: 'два/две/двух три/трёх/трех четыре/четырёх пять/пяти шесть/шести семь восемь девять десять/десяти одиннадцать двенадцать двадцать тридцать сто тысяча/тысячи/тысяч/тыс миллион/миллиона/миллионов',
  uk: "два/дві/двох три/трьох чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять двадцять тридцять сто тисяча/тисячі/тисяч мільйон/мільйони/мільйонів",
  pl: 'dwa/dwie/dwóch trzy/trzech cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście dwadzieścia trzydzieści sto tysiąc/tysiące/tysięcy milion/miliony/milionów',
  tr: 'iki üç dört beş altı yedi sekiz dokuz on onbir oniki yirmi otuz yüz bin milyon',
};
const valuesIn = Object.fromEntries(
  Object.entries(WRITTEN).map(([language, words]) => {
    const pairs = words
      .split(' ')
      .flatMap((forms, at) => forms.split('/').map(form => [fold(form, language), String(VALUES[at])] as const));
    return [language, new Map(pairs)];
  }),
);

const word = (words: string) => String.raw`(?<!\p{L})(?:${words})(?!\p{L})`;
const UNITS = Object.entries({
  '€': `€|${word('eur|euros?')}|евро|євро|ευρώ|يورو`,
  $: String.raw`\$|${word('usd|dollars?|dólares')}|доллар`,
  '£': `£|${word('gbp|pounds?|quid')}`,
  '¥': `[¥元円]|${word('yen|yuan|rmb|cny|jpy')}`,
  '₽': '₽|руб',
  zł: `zł|${word('pln')}`,
  '₴': '₴|грн|гривн',
  '%': `[%٪]|${word('per ?cent|prozent|procent|por ?ciento|pour ?cent|por ?cento|per ?cento|pct')}|процент`,
}).map(([unit, sign]) => {
  const amount = String.raw`(?:${sign})\s?(\d[\d.,'’]{0,15})|(\d[\d.,'’]{0,15}(?: \d{3}){0,3})\s?(?:[kк]\s?)?(?:${sign})`;
  return { unit, pattern: new RegExp(sign, 'iu'), amounts: new RegExp(amount, 'giu') };
});

const GROUPED = /^\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+$/;
const FRACTION = /^(\d+)[.,](\d{1,2})$/;

/** @param language ISO 639-1, by which numbers in words are read; English where they are not known */
export function figuresIn(text: string, language: string): Figures {
  const found: Figures = {
    values: new Set(),
    fractions: [],
    groups: [],
    units: new Set(),
    amounts: new Set(),
    hours: new Set(),
  };
  for (const number of numbersIn(text)) {
    const { value, parts } = readNumber(number);
    if (parts.length < 2) found.values.add(value ?? number);
    else if (value) found.fractions.push({ value, parts });
    else found.groups.push(parts);
  }
  const written = valuesIn[language] ?? valuesIn.en;
  for (const word of wordsOf(fold(text, language))) {
    const value = written?.get(word);
    if (value !== undefined) found.values.add(value);
  }
  for (const { unit, pattern, amounts } of UNITS) {
    if (pattern.test(text)) found.units.add(unit);
    for (const [, after, before] of text.matchAll(amounts)) {
      const [number = ''] = numbersIn(after ?? before ?? '');
      found.amounts.add(`${readNumber(number).value ?? number} ${unit}`);
    }
  }
  for (const [, hour = ''] of text.matchAll(HOUR)) found.hours.add(plain(hour));
  return found;
}

const HOUR = /(?<![\d.,:])(\d{1,2})\s?(?:h|uhr|am|pm|o[’']clock|ч|час(?:а|ов)?)(?!\p{L})/giu;

/** "1,700" has a value, "14:30" has parts, "24.11" and "4.50" have both. */
function readNumber(number: string): { value?: string; parts: string[] } {
  if (GROUPED.test(number)) return { value: plain(number.replaceAll(/\D/g, '')), parts: [] };
  const parts = number.split(/\D+/).filter(Boolean).map(plain);
  const [, whole, rest] = FRACTION.exec(number) ?? [];
  if (whole && rest) return { value: String(Number(`${whole}.${rest}`)), parts };
  return parts.length > 1 ? { parts } : { value: parts[0] ?? number, parts };
}

const plain = (digits: string) => digits.replace(/^0+(?=\d)/, '');

/**
 * Whether all figures of a sentence were said: as the same value, or as parts of the same date or hour.
 * @param dates the parts of days that may be named, although no one wrote them in figures
 */
export function areSaid(figures: Figures, said: Figures, dates: readonly string[][]): boolean {
  const whole = new Set([...said.values, ...said.fractions.map(({ value }) => value)]);
  const pairs = said.fractions.map(({ parts }) => parts);
  const isTogether = (parts: string[], groups: readonly string[][]) =>
    groups.some(group => parts.every(part => group.includes(part)));
  return (
    [...figures.units].every(unit => said.units.has(unit)) &&
    [...figures.amounts].every(amount => said.amounts.has(amount)) &&
    [...figures.hours].every(hour => whole.has(hour) || isTogether([hour], said.groups)) &&
    [...figures.values].every(value => whole.has(value) || isTogether([value], [...said.groups, ...dates])) &&
    figures.fractions.every(
      ({ value, parts }) => whole.has(value) || isTogether(parts, [...said.groups, ...dates, ...pairs]),
    ) &&
    figures.groups.every(parts => isTogether(parts, [...said.groups, ...dates, ...pairs]))
  );
}
