import { oncePer } from '../../../lib/once.ts';
import { stopwordsOf } from './stopwords.ts';

/** What is known of a language beside what was learned. `code`: ISO 639-1, or 'und'. */
export type Pack = {
  code: string;
  stopwords: ReadonlySet<string>;
  /** All nouns have capitals, so that a capital tells no name. */
  nounsCapitalized: boolean;
};

export const packOf = oncePer(
  (code: string): Pack => ({ code, stopwords: stopwordsOf(code), nounsCapitalized: code === 'de' }),
);
