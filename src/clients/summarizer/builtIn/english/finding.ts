import type { Act, Doer } from '../types.ts';
import type { Token } from './tagger.ts';
import { BETWEEN, REQUESTS } from './verbs.ts';

/** Where in a sentence someone takes something on or asks for it. */
export type Head = {
  act: Act;
  doer: Doer;
  /** First word of the head, and the verb of what is to be done. */
  from: number;
  verb: number;
  /** The verb that is meant where it isn't the one said: "you will have it" is "send it". */
  instead?: string;
  /** Its verb comes behind what it is about: "the deposit goes out on Monday". */
  isSaid?: boolean;
  /** None of its words is the verb of what is to be done. */
  isVerbless?: boolean;
  /** Where its words end, when not with the clause. */
  end?: number;
  strength: number;
  /** The strength if the same sentence names a date. */
  withDate: number;
};

export type Finding = Omit<Head, 'from' | 'end'>;
export type Finder = (tokens: Token[], at: number) => Finding | null;

export const SPEAKER = new Set(['i', 'we']);
export const SOMEONE = new Set(['someone', 'somebody', 'anyone', 'anybody', 'who']);

export const low = (tokens: Token[], at: number) => tokens[at]?.low ?? '';

export function afterAdverbs(tokens: Token[], at: number): number {
  let next = at;
  while (BETWEEN.has(low(tokens, next)) && next < at + 3) next += 1;
  return next;
}

export function isBase(token: Token | undefined): boolean {
  if (!token || !/^\p{L}{2,}$/u.test(token.low) || /^\p{Lu}{2,}$/u.test(token.text)) return false;
  if (['PRON', 'DET', 'ADP', 'PUNCT', 'NUM', 'PART', 'SCONJ', 'CCONJ'].includes(token.pos)) return false;
  return token.lemma === token.low || REQUESTS.has(token.low);
}

export const isVerb = (token: Token | undefined) =>
  token !== undefined && (token.pos === 'VERB' || REQUESTS.has(token.low));

/** Whether nothing, a punctuation mark or a conjunction comes before. */
export function startsClause(tokens: Token[], at: number): boolean {
  const before = tokens[at - 1];
  return (
    !before || before.pos === 'PUNCT' || /^(?:and|but|so|then|or|also|\+|&|;|-|–|:|ok|okay|sure|yes)$/.test(before.low)
  );
}
