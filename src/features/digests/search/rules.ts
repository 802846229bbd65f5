/** A run of letters that forms a word, or a single character that is one. */
export const WORDS = /[\u2e80-\u9fff\uf900-\ufaff]|[[\p{Alphabetic}\p{M}\p{N}]--[\u2e80-\u9fff\uf900-\ufaff]]+/gv;

const LETTERS: Record<string, string> = { ß: 'ss', ı: 'i', ł: 'l', ø: 'o', đ: 'd', ς: 'σ' };
export const LONGEST_WORD = 60;

/** Folds like `search_words` in the database, except for the length limit of a word. */
export function fold(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.replace(/[ßıłøđς]/g, letter => LETTERS[letter] ?? letter);
}

/** The words of a text as `search_words` in the database has them, in their order. */
export function wordsIn(text: string): string[] {
  return (text.match(WORDS) ?? []).map(word => fold(word).slice(0, LONGEST_WORD));
}
