import { FIGURE } from './choosing.ts';
import { type Fact, fact } from './fact.ts';
import type { Turn } from './reading.ts';
import { antecedentOf, told } from './telling.ts';
import type { Reading } from './types.ts';

const AGREES =
  /(?<!\p{L})(?:i accept|i agree|agreed|deal|(?:that|this|it|price|offer)(?:'s| is| sounds?) (?:quite |perfectly |very )?(?:fine|acceptable|satisfactory|reasonable|fair)|sounds? (?:fine|fair|reasonable)|fair enough|works for (?:me|us)|take your word|fair to me)(?!\p{L})/u;
const OFFERS =
  /(?<!\p{L})(?:(?:we|i)(?:'ll| will| can| could| would) (?!be right|see|have|take)|how about|(?:would )?suggest|propose|you can (?:be|have|get))/u;
/** What was agreed is worth more than what was merely said. */
const WORTH = 2;

/** "We can ship on the 20th." – "That is fine.": an offer, told with the other side's yes. English only. */
export function agreements(turns: Turn[], limit: number): Fact[] {
  return turns.flatMap((turn, at) => {
    const before = turns[at - 1];
    const yes = turn.readings.slice(0, 3).find(({ folded, tokens }) => tokens && AGREES.test(folded));
    if (!before || !yes || yes.sentence.isQuestion || isOwnOrOld(turn, before)) return [];
    // "Deal, 20% at order" itself says what is agreed.
    if (FIGURE.test(yes.sentence.text) || turn.readings.some(({ isConditional }) => isConditional)) return [];
    const offer = offerIn(before);
    if (!offer || before.readings.some(({ folded, lexicon }) => lexicon.acts.threat.test(folded))) return [];
    const text = told([offer], antecedentOf(offer, turns), limit);
    return [fact(`${text} ${turn.utterance.speaker} agrees.`, [offer, yes], WORTH, false)];
  });
}

function isOwnOrOld({ utterance }: Turn, { utterance: before }: Turn): boolean {
  return before.speaker === utterance.speaker || before.day !== utterance.day;
}

function offerIn({ readings }: Turn): Reading | undefined {
  const said = readings.filter(
    ({ sentence, isSmallTalk, tokens }) => tokens && !sentence.text.endsWith('?') && !isSmallTalk,
  );
  return said.find(({ folded }) => OFFERS.test(folded)) ?? said.findLast(({ sentence }) => FIGURE.test(sentence.text));
}
