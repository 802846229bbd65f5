/** Beside a number: "€ 50", "1,250 BTC", "50 USD". */
const AMOUNT =
  /(\p{Sc}|(?<![\p{L}\p{N}])[A-Z]{3,4})[ \u00A0\u202F]?\p{Nd}|\p{Nd}[ \u00A0\u202F]?(\p{Sc}|[A-Z]{3,4}(?![\p{L}\p{N}]))/gu;
/** Those that people pay with, beside the currencies of states. */
const OTHERS = ['BTC', 'ETH', 'USDC', 'USDT', 'XBT', 'XMR', 'LTC', 'SOL', 'TON', 'TRX'];
const CODES = new Set([...Intl.supportedValuesOf('currency'), ...OTHERS]);
/** Letters by which a currency's name is known in every form: "euros", "Dollar", "рублей". */
const STEM = 4;

/**
 * The currencies in a model's text that no message names, in whichever way: by its sign, its code or its name. Where no
 * message names any, a state's currency goes without saying.
 * @param language ISO 639-1
 */
export function foreignCurrencies(text: string, messages: readonly string[], language: string): string[] {
  const named = currenciesIn(text);
  if (named.length === 0) return [];
  const said = messages.join('\n');
  const lower = said.toLowerCase();
  const isSaid = (name: string) => formsOf(name, language).some(form => lower.includes(form));
  const isOpen = currenciesIn(said).length === 0;
  return named.filter(name => !isSaid(name) && !(isOpen && !OTHERS.includes(name)));
}

function currenciesIn(text: string): string[] {
  const named = [...text.matchAll(AMOUNT)].map(([, before, after]) => before ?? after ?? '');
  return named.filter(name => /\p{Sc}/u.test(name) || CODES.has(name));
}

/** In lower case. A sign may be of several currencies: "$". */
function formsOf(name: string, language: string): string[] {
  const codes = CODES.has(name) ? [name] : [...CODES].filter(code => signsOf(code, language).includes(name));
  const names = codes.flatMap(code => [code, ...signsOf(code, language), ...namesOf(code, language)]);
  return [name, ...names].map(form => form.toLowerCase());
}

function signsOf(code: string, language: string): string[] {
  return localesFor(language).map(locale => part(code, locale, 'narrowSymbol'));
}

/** The beginnings of the words of its name: "US dollars" is said as "dollar". */
function namesOf(code: string, language: string): string[] {
  const words = localesFor(language).flatMap(locale => part(code, locale, 'name').split(/[^\p{L}\p{M}]+/u));
  return words.filter(word => word.length >= STEM).map(word => word.slice(0, STEM));
}

function localesFor(language: string): string[] {
  return [...new Set([language, 'en'])].flatMap(code => Intl.NumberFormat.supportedLocalesOf(code));
}

function part(code: string, locale: string, currencyDisplay: 'narrowSymbol' | 'name'): string {
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay });
    return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? code;
  } catch {
    // Four letters are no currency's code for Intl.
    return code;
  }
}
