import { plainTokens, readName } from '../../lib/names/readings.ts';

/** What a suggestion is looked up by. */
export type SearchWords = {
  /** Of the person's part of the name, '' when there is nothing to search for. */
  first: string;
  others: string[];
  /** Of what stands beside it: a company, or the other name behind a `|`. */
  beside: string[];
};

/** Words of a name as people write it in a messenger, small letters, cut at `|`, `/` and every hyphen. */
export function searchWords(name: string): SearchWords {
  const [reading] = readName(name);
  const [first = '', ...others] = (reading?.tokens ?? []).flatMap(atHyphens);
  const beside = (reading?.extras ?? []).flatMap(plainTokens).flatMap(atHyphens);
  return { first, others, beside: [...new Set(beside)].filter(word => word !== first && !others.includes(word)) };
}

/** Lower case without accents: how words are compared here. */
export function folded(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function atHyphens(token: string): string[] {
  return token.split('-').filter(word => /\p{L}/u.test(word));
}
