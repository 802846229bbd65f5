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

/** By sign and code in lower case, what a currency may be called: a sign may be of several, as "$". By locale. */
const FORMS = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

function formsOf(name: string, language: string): string[] {
  const locales = [...new Set([language, 'en'])].flatMap(code => Intl.NumberFormat.supportedLocalesOf(code));
  return [name.toLowerCase(), ...locales.flatMap(locale => [...(formsIn(locale).get(name) ?? [])])];
}

/** Reads all once for each language that can be told apart. */
function formsIn(locale: string): ReadonlyMap<string, ReadonlySet<string>> {
  const known = FORMS.get(locale);
  if (known) return known;
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' });
  const forms = new Map<string, Set<string>>();
  for (const code of CODES) {
    const sign = OTHERS.includes(code) ? code : signOf(code, locale);
    // "US dollars" is said as "dollar".
    const words = (code.length === 3 ? (names.of(code) ?? '') : '').split(/[^\p{L}\p{M}]+/u);
    const stems = words.filter(word => word.length >= STEM).map(word => word.slice(0, STEM));
    for (const key of new Set([code, sign])) {
      const own = forms.get(key) ?? new Set();
      forms.set(key, own);
      for (const form of [code, sign, ...stems]) own.add(form.toLowerCase());
    }
  }
  FORMS.set(locale, forms);
  return forms;
}

function signOf(currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}
