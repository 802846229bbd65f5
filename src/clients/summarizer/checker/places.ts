import { once, oncePer } from '../../../lib/once.ts';

/** Letters by which the name of a country or language is known in every form: "deutsche", "Deutschland". */
const STEM = 4;
const WORD = /[\p{L}\p{M}]+/gu;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** All that the Unicode CLDR may have a name for. */
const CODES = LETTERS.flatMap(first => LETTERS.map(second => first + second));

/**
 * Tells whether a word is in the name of a country or language that the messages name by its code or in theirs: "Ireland"
 * for "IE", "Germany" for "Deutschland".
 * @param languages of the messages, and of the word; ISO 639-1
 */
export function placesSaid(texts: readonly string[], [spoken, written]: readonly [string, string]) {
  const named = once(() => {
    const words = new Set(texts.flatMap(text => text.match(WORD) ?? []));
    const stems = new Set([...words].map(stemOf));
    const isNamed = (name: string) => name.length >= STEM && stems.has(stemOf(name));
    const byName = [...placesIn(spoken)].flatMap(([place, names]) => (names.some(isNamed) ? [place] : []));
    const byCode = CODES.filter(code => words.has(code));
    return new Set([...byName, ...byCode].flatMap(place => placesIn(written).get(place) ?? []));
  });
  return (word: string) => named().has(word.toLowerCase());
}

const stemOf = (word: string) => word.toLowerCase().slice(0, STEM);

/** The words of their names by code, those of languages in small letters. */
const placesIn = oncePer((locale: string) => {
  const places = new Map<string, string[]>();
  for (const supported of Intl.DisplayNames.supportedLocalesOf(locale))
    for (const type of ['region', 'language'] as const) {
      const names = new Intl.DisplayNames(supported, { type, fallback: 'none' });
      for (const code of type === 'region' ? CODES : CODES.map(code => code.toLowerCase()))
        places.set(code, names.of(code)?.toLowerCase().match(WORD) ?? []);
    }
  return places;
});
