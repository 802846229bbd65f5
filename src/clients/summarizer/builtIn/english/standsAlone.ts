import type { Reading } from '../types.ts';
import { hasVerb } from './sentenceParts.ts';
import type { Token } from './tagger.ts';

/** Words that stand for something said before. */
const POINTING = /^(?:it|its|he|she|him|his|her|hers|they|them|their|theirs|this|that|these|those|there|one|ones)$/;

/**
 * Whether sentences told together make sense to someone who reads nothing else: a noun comes before each "it", "they"
 * and "there". True if the language has no tagger.
 */
export function standsAlone(readings: Reading[]): boolean {
  let isNamed = false;
  for (const { tokens } of readings) {
    if (!tokens) return true;
    for (const [at, { low, pos }] of tokens.entries()) {
      if (!isNamed && POINTING.test(low) && !isFilling(tokens, at)) return false;
      isNamed ||= pos === 'NOUN' || (pos === 'PROPN' && at > 0);
    }
  }
  return true;
}

/** Points to nothing before it: "there is a key", "it is hard to say", "this is my desk", "that desk", "I hope that". */
function isFilling(tokens: Token[], at: number): boolean {
  const { low } = tokens[at] as Token;
  const [next, second, third] = tokens.slice(at + 1);
  if (!next) return false;
  const isBe = /^(?:is|are|was|were|'s|'re|will|has|have|must)$/.test(next.low);
  if (low === 'there') return isBe;
  if (low === 'it') return (isBe && isImpersonal(second, third)) || /^(?:seems?|looks?|takes?|rains?)$/.test(next.low);
  if (/^(?:this|these)$/.test(low) && isBe) return second !== undefined && /^(?:DET|NUM|PROPN)$/.test(second.pos);
  if (/^(?:this|that|these|those|his|her|their|its|one)$/.test(low) && /^(?:NOUN|ADJ|NUM|PROPN)$/.test(next.pos))
    return /^(?:this|that|these|those|one)$/.test(low);
  if (low === 'one') return next.low === 'of';
  // "I hope that you come", "the desk that I bought"
  return low === 'that' && at > 0 && !isBe && /^(?:VERB|NOUN|ADJ|AUX)$/.test(tokens[at - 1]?.pos ?? '');
}

/** "It is time to go", "it is good that you came", "it is late", "it is nine o'clock". */
function isImpersonal(second: Token | undefined, third: Token | undefined): boolean {
  if (!second) return false;
  if (second.pos === 'NUM' || /^(?:time|late|early|cold|hot|raining|snowing|nearly|almost)$/.test(second.low))
    return true;
  return /^(?:ADJ|VERB|ADV)$/.test(second.pos) && /^(?:to|that|for|if|when)$/.test(third?.low ?? '');
}

/** "Full-size or compact?", "And how about the desk?": not a sentence, nor a question that others would understand. */
export function isFragment({ tokens }: Reading): boolean {
  return tokens !== null && !hasVerb(tokens);
}
