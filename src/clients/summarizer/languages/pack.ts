import { stopwordsOf } from './stopwords.ts';

/** What is known of a language beside what was learned. `code`: ISO 639-1, or 'und'. */
export type Pack = {
  code: string;
  stopwords: ReadonlySet<string>;
  /** All nouns have capitals, so that a capital tells no name. */
  nounsCapitalized: boolean;
};

const known = new Map<string, Pack>();

export function packOf(code: string): Pack {
  const pack = known.get(code) ?? { code, stopwords: stopwordsOf(code), nounsCapitalized: code === 'de' };
  known.set(code, pack);
  return pack;
}
