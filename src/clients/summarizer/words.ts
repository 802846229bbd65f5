import type { Lexicon } from './languages/lexicon.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'-]*/gu;
/** Scripts that write without spaces, or nearly so. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const STEM_LENGTH = 5;
const unspaced = new Intl.Segmenter('ja', { granularity: 'word' });

/** The words of a folded text, in order. */
export function wordsOf(folded: string): string[] {
  if (!UNSPACED.test(folded)) return folded.match(WORD) ?? [];
  return [...unspaced.segment(folded)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Words that mean something by themselves: no stop words, no lone letters of an alphabet. */
export function contentWords(words: string[], pack: Lexicon): string[] {
  return words.filter(
    word => !pack.stopwords.has(word) && (word.length > 1 ? /\p{L}|\d\d/u.test(word) : UNSPACED.test(word)),
  );
}

/** What a word has in common with its inflections, roughly and in any language: its beginning. */
export function stem(word: string): string {
  const bare = word.replace(/'\p{L}{1,2}$/u, '');
  return bare.length <= STEM_LENGTH ? bare.replace(/(?<=\p{L}{3})s$/u, '') : bare.slice(0, STEM_LENGTH);
}
