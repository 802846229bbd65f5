import type { Token } from './tagger.ts';

const LONGEST = 3;
/** Nouns that name no matter of their own, days and people's roles in the talk. */
const EMPTY = new Set(
  `thing things stuff time times day days week weeks month months year years hour hours minute minutes min mins second seconds sec moment
  morning afternoon evening night noon today tomorrow tonight yesterday weekend monday tuesday wednesday thursday friday saturday sunday
  january february march april may june july august september october november december lot lots bit kind sort way ways one ones people
  guys guy man sir madam thanks thank hi hello hey news word words question questions answer problem problems idea ideas fact case point
  end start part side rest number numbers number eur usd euro euros dollar dollars pound pounds percent pcs piece pieces couple half pls
  dear love luck fun god please sorry ok okay yes no lol haha oh eod asap chance matter reason need needs help hope mind head hand hands
  new old more many next other last good fair great own same much few several such certain different best better first second third long short big small little right sure
  everyone someone anything something nothing everything anyone nobody self look thought try sec guess favor favour course sake mr mrs ms`
    .split(/\s+/)
    .filter(Boolean),
);

/** Runs of nouns with the adjectives before them, as "supplier agreement", "broken screen". */
export function nounPhrases(tokens: Token[], names: ReadonlySet<string>): string[] {
  const phrases: string[] = [];
  let open: Token[] = [];
  const close = () => {
    const words = trimmed(open, names);
    if (words.length > 0 && words.length <= LONGEST) phrases.push(words.map(wordOf).join(' '));
    open = [];
  };
  for (const token of tokens) {
    const fits = ['NOUN', 'PROPN', 'ADJ'].includes(token.pos) && /^\p{L}[\p{L}\p{N}-]*$/u.test(token.text);
    if (fits && !(token.pos === 'ADJ' && open.some(({ pos }) => pos !== 'ADJ'))) open.push(token);
    else close();
  }
  close();
  return phrases;
}

/** Drops empty words at both ends; returns nothing for an adjective alone, which is no topic. */
function trimmed(run: Token[], names: ReadonlySet<string>): Token[] {
  const words = [...run];
  const isEmpty = ({ low, lemma }: Token) => EMPTY.has(low) || EMPTY.has(lemma) || names.has(low) || low.length < 3;
  while (words[0] && isEmpty(words[0])) words.shift();
  while (words.length > 0 && isEmpty(words.at(-1) as Token)) words.pop();
  if (words.some(isEmpty) || !words.some(({ pos }) => pos === 'NOUN' || pos === 'PROPN')) return [];
  return words.at(-1)?.pos === 'ADJ' ? [] : words;
}

function wordOf({ text, pos, low }: Token): string {
  return pos === 'PROPN' || (text.match(/\p{Lu}/gu)?.length ?? 0) > 1 ? text : low;
}
