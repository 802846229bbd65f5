import { once } from '../../../lib/once.ts';

/** Letters by which the name of a country or language is known in every form: "deutsche", "Deutschland". */
const STEM = 4;
const WORD = /[\p{L}\p{M}]+/gu;
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** All that the Unicode CLDR may have a name for. */
const CODES = LETTERS.flatMap(first => LETTERS.map(second => first + second));

/**
 * Tells whether a word is in the name of a country or language that the messages name by its code or in theirs: "Ireland"
 * for "IE", "Germany" for "Deutschland".
 * @param languages of the messages, and of the word; ISO 639-1
 */
export function placesSaid(texts: readonly string[], [spoken, written]: readonly [string, string]) {
  const named = once(() => {
    const words = texts.flatMap(text => text.match(WORD) ?? []);
    const [own, others] = [placesIn(spoken), placesIn(written)];
    const byStem = new Set(words.map(stemOf));
    const saidCodes = CODES.filter(code => words.includes(code));
    const said = [...own].filter(([, names]) => names.some(name => name.length >= STEM && byStem.has(stemOf(name))));
    return new Set([...said.map(([place]) => place), ...saidCodes].flatMap(place => others.get(place) ?? []));
  });
  return (word: string) => named().has(word.toLowerCase());
}

const stemOf = (word: string) => word.toLowerCase().slice(0, STEM);

const known = new Map<string, Map<string, string[]>>();

/** The words of their names by code, those of languages in small letters. */
function placesIn(locale: string): ReadonlyMap<string, string[]> {
  const [supported] = Intl.DisplayNames.supportedLocalesOf(locale);
  const made = known.get(locale) ?? new Map<string, string[]>();
  if (supported === undefined || made.size > 0) return made;
  for (const type of ['region', 'language'] as const) {
    const names = new Intl.DisplayNames(supported, { type, fallback: 'none' });
    for (const code of CODES.map(code => (type === 'language' ? code.toLowerCase() : code)))
      made.set(code, (names.of(code) ?? '').toLowerCase().match(WORD) ?? []);
  }
  known.set(locale, made);
  return made;
}
