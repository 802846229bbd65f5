/** Those that people pay with, beside the currencies of states. */
const OTHERS = ['BTC', 'ETH', 'USDC', 'USDT', 'XBT', 'XMR', 'LTC', 'SOL', 'TON', 'TRX'];
/** Without metals, funds and what is only for tests. */
const CODES = Intl.supportedValuesOf('currency').filter(code => !/^X(?!AF|CD|OF|PF)/.test(code));
const PERCENT = '%';
const BEFORE = /((?<![\p{L}\d])(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3,4}))[ \u00A0\u202F]?$/u;
const AFTER = /^[ \u00A0\u202F]?(\p{Sc}|[%٪]|\p{L}{2,12}(?: \p{L}{4,9})?)/u;
/** Characters around a number that its unit is looked for in. */
const NEAR = { before: 5, after: 24 };
/** Letters by which a currency's name is known in every form, "euros", "Dollar", "рублей", and those an ending has. */
const STEM = 4;
const LONGEST_ENDING = 2;

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
  return [...new Set(words)].flatMap(word => unitsIn(language).names.get(word) ?? []);
}

function unitsOf(written: string | undefined, language: string): string[] | undefined {
  if (written === undefined) return undefined;
  const { names, stems } = unitsIn(language);
  const [word = ''] = written.split(' ');
  const sign = /\p{Sc}/u.exec(written)?.[0] ?? '';
  const known =
    names.get(written) ??
    names.get(sign) ??
    names.get(written.toLowerCase()) ??
    names.get(word) ??
    names.get(word.toLowerCase());
  if (known || word.length < STEM) return known;
  const lower = word.toLowerCase();
  const alike = (stems.get(lower.slice(0, STEM)) ?? []).filter(name => {
    const longest = name.length + LONGEST_ENDING;
    return lower.length <= longest && lower.startsWith(name.slice(0, Math.max(STEM, name.length - LONGEST_ENDING)));
  });
  return alike.length > 0 ? alike.flatMap(name => names.get(name) ?? []) : undefined;
}

type Units = { names: Map<string, string[]>; stems: Map<string, string[]> };

const known = new Map<string, Units>();

/** The units by their signs, codes and names, these in a language and in English. */
function unitsIn(language: string): Units {
  const made = known.get(language) ?? readUnits(language);
  known.set(language, made);
  return made;
}

function readUnits(language: string): Units {
  const names: Units['names'] = new Map();
  const add = (name: string, unit: string) => {
    const units = names.get(name) ?? [];
    if (!units.includes(unit)) names.set(name, [...units, unit]);
  };
  const locales = [...new Set([language, 'en'])].flatMap(code => Intl.NumberFormat.supportedLocalesOf(code));
  const usual = new Map(CODES.map(code => [code, signOf(code, 'en')]));
  const words = locales.flatMap(locale => {
    const display = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' });
    return [...usual].flatMap(([code, unit]) =>
      (display.of(code) ?? '').split(/[^\p{L}\p{M}]+/u).map(word => [word.toLowerCase(), unit] as const),
    );
  });
  for (const code of OTHERS) add(code, code);
  for (const [code, unit] of usual) {
    for (const name of [code, unit, ...locales.map(locale => signOf(code, locale))]) add(name, unit);
    // "All" and "top" are codes too, of currencies that have no other sign.
    if (unit !== code) add(code.toLowerCase(), unit);
  }
  for (const [word, unit] of words) if (word.length >= STEM) add(word, unit);
  for (const name of ['%', '٪', 'per cent', ...locales.flatMap(percentIn)]) add(name, PERCENT);
  return { names, stems: Map.groupBy(new Set(words.map(([word]) => word)), word => word.slice(0, STEM)) };
}

function percentIn(locale: string): string[] {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', unitDisplay: 'long' });
  return [1, 2, 5].flatMap(count =>
    format.formatToParts(count).flatMap(({ type, value }) => (type === 'unit' ? value.trim().toLowerCase() : [])),
  );
}

const signs = new Map<string, string>();

function signOf(currency: string, locale: string): string {
  const key = `${locale} ${currency}`;
  const made = signs.get(key);
  if (made) return made;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const sign = format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
  signs.set(key, sign);
  return sign;
}
