/** Those that people pay with, beside the currencies of states. */
const OTHERS = ['BTC', 'ETH', 'USDC', 'USDT', 'XBT', 'XMR', 'LTC', 'SOL', 'TON', 'TRX'];
/** Without metals, funds and what is only for tests. */
const CODES = Intl.supportedValuesOf('currency').filter(code => !/^X(?!AF|CD|OF|PF)/.test(code));
const PERCENT = '%';
const BEFORE = /((?<![\p{L}\d])(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3,4}))[ \u00A0\u202F]?$/u;
const AFTER = /^[ \u00A0\u202F]?(\p{Sc}|[%٪]|\p{L}{2,12}(?: \p{L}{4,9})?)/u;
/** Characters around a number that its unit is looked for in. */
const NEAR = { before: 5, after: 24 };
const SHORTEST_WORD = 3;
/**
 * What a number counts by the word or sign beside it: per cent, or a currency by its usual sign, which several may share.
 * @param language ISO 639-1
 */
export function unitsBeside(text: string, begin: number, end: number, language: string): string[] {
  const before = BEFORE.exec(text.slice(Math.max(0, begin - NEAR.before), begin))?.[1];
  const after = AFTER.exec(text.slice(end, end + NEAR.after))?.[1];
  return unitsOf(after, language) ?? unitsOf(before, language) ?? [];
}

/** Whether a state's currency may go without saying. */
export function isOfState(unit: string): boolean {
  return unit !== PERCENT && !OTHERS.includes(unit);
}

/** All that a text names by sign or code, beside numbers or not. */
export function unitsNamedIn(text: string, language: string): string[] {
  const words = text.match(/\p{Sc}|[%٪]|(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? [];
  return [...new Set(words)].flatMap(word => unitsIn(language).get(word) ?? []);
}

function unitsOf(written: string | undefined, language: string): string[] | undefined {
  if (written === undefined) return undefined;
  const units = unitsIn(language);
  const [word = ''] = written.split(' ');
  const forms = [written, written.toLowerCase(), /\p{Sc}/u.exec(written)?.[0] ?? '', word, word.toLowerCase()];
  return forms.map(form => units.get(form)).find(found => found !== undefined);
}

const known = new Map<string, ReadonlyMap<string, string[]>>();

/** The units by their signs, codes and names, these in a language and in English. */
function unitsIn(language: string): ReadonlyMap<string, string[]> {
  const made = known.get(language) ?? readUnits(language);
  known.set(language, made);
  return made;
}

/** How a unit may be written, as one and several. */
function formsOf(locale: string, unit: Intl.NumberFormatOptions, display: 'currency' | 'unit'): string[] {
  const format = new Intl.NumberFormat(locale, unit);
  return [1, 2, 5].flatMap(count =>
    format.formatToParts(count).flatMap(({ type, value }) => (type === display ? value.trim() : [])),
  );
}

function readUnits(language: string): ReadonlyMap<string, string[]> {
  const units = new Map<string, string[]>();
  const add = (name: string, unit: string) => units.set(name, [...new Set([...(units.get(name) ?? []), unit])]);
  const locales = [...new Set([language, 'en'])].flatMap(code => Intl.NumberFormat.supportedLocalesOf(code));
  const shown = (locale: string, currency: string, currencyDisplay: 'narrowSymbol' | 'name') =>
    formsOf(locale, { style: 'currency', currency, currencyDisplay }, 'currency');
  for (const code of OTHERS) add(code, code);
  for (const code of CODES) {
    const [unit = code] = shown('en', code, 'narrowSymbol');
    for (const locale of locales) {
      for (const sign of shown(locale, code, 'narrowSymbol')) add(sign, unit);
      const words = shown(locale, code, 'name').flatMap(name => name.toLowerCase().split(/[^\p{L}\p{M}]+/u));
      for (const word of words) if (word.length > SHORTEST_WORD) add(word, unit);
    }
    add(code, unit);
    // "All" and "top" are codes too, of currencies that have no other sign.
    if (unit !== code) add(code.toLowerCase(), unit);
  }
  const percent = locales.map(locale =>
    formsOf(locale, { style: 'unit', unit: 'percent', unitDisplay: 'long' }, 'unit'),
  );
  for (const name of ['%', '٪', 'per cent', ...percent.flat()]) add(name.toLowerCase(), PERCENT);
  return units;
}
