/** Letters by which the name of a country or language is known in every form: "deutsche", "Deutschland". */
const STEM = 4;
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** All that the Unicode CLDR may have a name for. */
const CODES = LETTERS.flatMap(first => LETTERS.map(second => `${first}${second}`));

/**
 * Tells whether a word is the name of a country or a language that the messages name in theirs: "Germany" for
 * "Deutschland".
 * @param languages of the messages, and of the word; ISO 639-1
 */
export function placesSaid(
  messages: readonly string[],
  [spoken, written]: readonly [spoken: string, written: string],
): (word: string) => boolean {
  const said = new Set(messages.flatMap(text => wordsOf(text).map(stemOf)));
  const named = new Set<string>();
  for (const type of ['region', 'language'] as const) {
    const nameIn = (locale: string) => {
      const [known] = Intl.DisplayNames.supportedLocalesOf(locale);
      const names = known && new Intl.DisplayNames(known, { type, fallback: 'none' });
      return (code: string) => (names ? wordsOf(names.of(type === 'language' ? code.toLowerCase() : code) ?? '') : []);
    };
    const [own, others] = [nameIn(spoken), nameIn(written)];
    for (const code of CODES) {
      const isSaid = own(code).some(word => word.length >= STEM && said.has(stemOf(word)));
      if (isSaid) for (const word of others(code)) named.add(word);
    }
  }
  return word => named.has(word.toLowerCase());
}

const stemOf = (word: string) => word.slice(0, STEM);

function wordsOf(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
}
