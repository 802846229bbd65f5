import type { Sentence } from '../../conversation.ts';
import type { Lexicon } from '../../languages/lexicon.ts';
import type { Move, Voices } from '../types.ts';
import { clauseEnd, deedOf } from './deeds.ts';
import { findHeads, type Head } from './heads.ts';
import { readWords } from './spelling.ts';
import type { Token } from './tagger.ts';

/** What an English sentence takes on or asks for, by its verbs. `isDated` tells whether a day or hour stands in it. */
export function readEnglish(sentence: Sentence, lexicon: Lexicon, voices: Voices, isDated: boolean): Move[] {
  const tokens = readWords(sentence.text, lexicon.spelling);
  const { isQuestion } = sentence;
  return findHeads(tokens).flatMap((head): Move[] => {
    if (isDenied(tokens, head)) return [];
    const asked = isQuestion && head.act === 'promise';
    if (asked) return [];
    const strength = isDated && clauseHasDay(tokens, head) ? head.withDate : head.strength;
    return [{ act: head.act, doer: head.doer, deed: deedOf(tokens, head, voices), strength }];
  });
}

/** "I will not", "do not sign anything": nothing to do. */
function isDenied(tokens: Token[], { from, verb }: Head): boolean {
  const words = tokens.slice(Math.max(0, from - 1), verb + 1);
  return words.some(({ low }) => low === 'not' || low === "n't" || low === 'never');
}

const DAY =
  /^(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|weekend|month|noon|morning|afternoon|evening|day|\d.*)$/;

/** Whether the day belongs to this part of the sentence; one that stands in front belongs to all of it. */
function clauseHasDay(tokens: Token[], head: Head): boolean {
  const part = tokens.slice(head.from, clauseEnd(tokens, head.verb) + 4);
  const before = tokens.slice(0, head.from);
  return [...part, ...before].some(({ low }) => DAY.test(low));
}
