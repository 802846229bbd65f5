import type { Pack } from './languages/pack.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'-]*/gu;
/** Scripts that write without spaces, or nearly so. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const STEM_LENGTH = 5;
const unspaced = new Intl.Segmenter('ja', { granularity: 'word' });

export function wordsOf(folded: string): string[] {
  if (!isUnspaced(folded)) return folded.match(WORD) ?? [];
  return [...unspaced.segment(folded)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** Japanese uses these where other languages have endings and small words. */
const ENDING = /^\p{Script=Hiragana}{1,4}$/u;

/** Words that mean something by themselves: no stop words, no lone letters of an alphabet. */
export function contentWords(words: string[], pack: Pack): string[] {
  return words.filter(
    word =>
      !pack.stopwords.has(word) &&
      !ENDING.test(word) &&
      (word.length > 1 ? /\p{L}|\d\d/u.test(word) : isUnspaced(word)),
  );
}

/** What a word has in common with its inflections, roughly and in any language: its beginning. */
export function stem(word: string): string {
  const bare = word.includes("'") ? word.replace(/'\p{L}{1,2}$/u, '') : word;
  if (bare.length > STEM_LENGTH) return bare.slice(0, STEM_LENGTH);
  return bare.endsWith('s') ? bare.replace(/(?<=\p{L}{3})s$/u, '') : bare;
}
