/** Scripts of living languages that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

/**
 * The attributes `lang` and `dir` of an element whose text is in a language, as markup: a name of another script at its
 * beginning turns nothing around. Where the language can't be told, the first letter decides.
 * @param language ISO 639-1
 */
export function writtenIn(language: string | undefined): string {
  if (!language || !/^[a-z]{2}$/.test(language)) return 'dir="auto"';
  return `lang="${language}" dir="${directionOf(language)}"`;
}

const directions = new Map<string, 'rtl' | 'ltr'>();

function directionOf(language: string): 'rtl' | 'ltr' {
  const known = directions.get(language);
  if (known) return known;
  const { script = '' } = new Intl.Locale(language).maximize();
  const direction = RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
  directions.set(language, direction);
  return direction;
}
