import { oncePer } from '../../../lib/once.ts';

/** Currencies in use that no state issues. */
const OTHERS = ['BTC', 'ETH', 'USDC', 'USDT', 'XBT', 'XMR', 'LTC', 'SOL', 'TON', 'TRX'];
/** Codes of currencies that people pay with, so none of metals, funds or tests. */
const CURRENCY_CODES = Intl.supportedValuesOf('currency').filter(code => !/^X(?!AF|CD|OF|PF)/.test(code));
const PERCENT = '%';
const BEFORE = /((?<![\p{L}\d])(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3,4}))[ \u00A0\u202F]?$/u;
const AFTER = /^[ \u00A0\u202F]?(\p{Sc}|[%٪]|\p{L}{2,12}(?: \p{L}{4,9})?)/u;
/** Characters around a number that its unit is looked for in. */
const SEARCHED_CHARACTERS = { before: 5, after: 24 };
const MIN_WORD_LENGTH = 3;

/** The units of a number, by the word or sign next to it: several currencies may share a sign. */
export function findAdjacentUnits(text: string, begin: number, end: number, language: string): string[] {
  const units = unitsByName(language);
  const before = BEFORE.exec(text.slice(Math.max(0, begin - SEARCHED_CHARACTERS.before), begin))?.[1];
  const after = AFTER.exec(text.slice(end, end + SEARCHED_CHARACTERS.after))?.[1];
  const named = [after, before].flatMap(written => {
    const [word = ''] = written?.split(' ') ?? [];
    return written ? [written, written.toLowerCase(), /\p{Sc}/u.exec(written)?.[0] ?? '', word, word.toLowerCase()] : [];
  });
  return [...(units.get(named.find(form => units.has(form)) ?? '') ?? [])];
}

/** Whether a state's currency may go without saying. */
export const isStateCurrency = (unit: string): boolean => unit !== PERCENT && !OTHERS.includes(unit);

/** The units that a text names by sign or code, with or without a number. */
export function findNamedUnits(text: string, language: string): string[] {
  const words = text.match(/\p{Sc}|[%٪]|(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? [];
  return [...new Set(words)].flatMap(word => [...(unitsByName(language).get(word) ?? [])]);
}

/** The units by their signs, codes and names, these in a language and in English. */
const unitsByName = oncePer((language: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const units = new Map<string, Set<string>>();
  const add = (name: string, unit: string) => units.set(name, (units.get(name) ?? new Set()).add(unit));
  const locales = Intl.NumberFormat.supportedLocalesOf([language, 'en']);
  for (const code of OTHERS) add(code, code);
  for (const currency of CURRENCY_CODES) {
    const sign = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    const [unit = currency] = unitForms('en', sign);
    for (const locale of locales) {
      for (const form of unitForms(locale, sign)) add(form, unit);
      const names = unitForms(locale, { ...sign, currencyDisplay: 'name' });
      const words = names.flatMap(name => name.toLowerCase().split(/[^\p{L}\p{M}]+/u));
      for (const word of words) if (word.length > MIN_WORD_LENGTH) add(word, unit);
    }
    add(currency, unit);
    // "All" and "top" are codes too, of currencies that have no other sign.
    if (unit !== currency) add(currency.toLowerCase(), unit);
  }
  const names = locales.flatMap(locale => unitForms(locale, { style: 'unit', unit: 'percent', unitDisplay: 'long' }));
  for (const name of ['%', '٪', 'per cent', ...names]) add(name.toLowerCase(), PERCENT);
  return units;
});

/** How a unit may be written, as one and several. */
function unitForms(locale: string, unit: Intl.NumberFormatOptions): string[] {
  const format = new Intl.NumberFormat(locale, unit);
  const parts = [1, 2, 5].flatMap(count => format.formatToParts(count));
  return parts.flatMap(({ type, value }) => (type === 'currency' || type === 'unit' ? value.trim() : []));
}
