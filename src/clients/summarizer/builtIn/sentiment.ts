import { everywhere } from '../languages/compile.ts';
import type { Sentiment } from '../types.ts';
import { lastWords } from '../words.ts';
import type { Turn } from './reading.ts';
import type { Reading } from './types.ts';

const HAPPY =
  /[\u{1F60A}\u{1F60D}\u{1F618}\u{1F970}\u{1F973}\u{1F929}\u{1F389}\u{1F44F}\u{1F64C}\u{2764}\u{1F49A}-\u{1F49C}\u{1F4AA}\u{1F525}\u{2B50}\u{1F942}]|<3/gu;
/** Joy, unless something bad is said: then it is anger or fear. */
const STRESS = /!!/gu;
const SMILE = /[\u{1F600}-\u{1F609}\u{1F642}\u{1F643}\u{1F64F}\u{1F44D}\u{1F44C}\u{1F923}]|:-?\)|[\p{L}]\)+(?:\s|$)/gu;
const UNHAPPY =
  /[\u{1F61E}-\u{1F622}\u{1F624}-\u{1F62B}\u{1F62D}\u{1F620}\u{1F621}\u{1F92C}\u{1F44E}\u{1F494}\u{1F641}\u{2639}]|:-?\(|\?\?+/gu;
/** One of the above may be in the text. */
const MAY_BE_SIGN = /[^ -~]|[<()]|\?\?|!!/u;
/** What a smile and a thank you weigh beside a cheer. */
const SMILING = 0.2;
const POLITE = 0.15;
/** What "perfect" weighs where it may be no more than a yes. */
const YES = 0.4;
/** What "oh no" and "how nice" weigh. */
const REACTION = 0.8;
const CLAUSE_END = /[,;:]/u;
/** The most words between a negation and the feeling that it negates. */
const REACH = 3;
/** How much more the end of a conversation counts than its beginning. */
const END_WEIGHT = 2;
/** One bad word is enough, unless the conversation is long; "perfect" may be no more than a yes. */
const LEAST = { positive: 1.2, negative: 1 };
const CHEERFUL = 2;
/** The same for each sentence of a long conversation: work has its small failures. */
const LONG = { positive: 0.1, negative: 0.16 };
const STRONGER = 2;
/** What a threat and an outage weigh beside a word of feeling. */
const THREAT = 1.5;
const OUTAGE = 1;

/** Per side and sentence: two words weigh as much as ten. */
const MOST_WORDS = 12;

type Feeling = { positive: number; negative: number };

/** How the conversation felt, most of all at its end. A thank you or two among many messages are politeness, not a mood. */
export function findSentiment(turns: Turn[]): Sentiment {
  const readings = turns.flatMap(({ readings: of }) => of);
  const sum: Feeling = { positive: 0, negative: 0 };
  for (const [at, reading] of readings.entries()) {
    const weight = 1 + ((END_WEIGHT - 1) * at) / Math.max(readings.length - 1, 1);
    const feeling = feelingOf(reading);
    sum.positive += weight * Math.min(feeling.positive, 2);
    sum.negative += weight * Math.min(feeling.negative, 2);
  }
  const long = readings.length * LONG.positive;
  const cheerful = Math.max(LEAST.positive, Math.min(CHEERFUL, readings.length * 0.2), long);
  const [happy, unhappy] = [
    sum.positive >= cheerful,
    sum.negative >= Math.max(LEAST.negative, readings.length * LONG.negative),
  ];
  if (happy && unhappy) {
    if (sum.positive >= STRONGER * sum.negative) return 'positive';
    if (sum.negative >= STRONGER * sum.positive) return 'negative';
    return 'mixed';
  }
  if (happy) return 'positive';
  return unhappy ? 'negative' : 'neutral';
}

/** How often a sign of feeling is in a text. */
function countOf(sign: RegExp, text: string): number {
  return text.match(sign)?.length ?? 0;
}

type Felt = { side: keyof Feeling; from: number; to: number };

/** Words of feeling: if two overlap, the longer one; none that only strengthens the next: "awfully good". */
function feltWords(folded: string, acts: Reading['lexicon']['acts']): Felt[] {
  // Most sentences hold none, and `matchAll` makes a new pattern each time.
  const sides = (['positive', 'negative'] as const).filter(side => acts[side].test(folded));
  const found = sides.flatMap(side =>
    [...folded.matchAll(everywhere(acts[side]))]
      .slice(0, MOST_WORDS)
      .map(({ 0: words, index }): Felt => ({ side, from: index, to: index + words.length })),
  );
  if (found.length < 2) return found;
  return found.filter(
    one =>
      !found.some(
        other =>
          other.side !== one.side &&
          ((one.side === 'negative' &&
            other.from > one.to &&
            /^ (?:\p{L}{1,5} )?$/u.test(folded.slice(one.to, other.from))) ||
            (other.from < one.to && one.from < other.to && other.to - other.from > one.to - one.from)),
      ),
  );
}

/** The words before a feeling that may negate it: in "no, the rest is lovely", none does. */
function wordsBefore(folded: string, from: number): string {
  return lastWords(folded.slice(0, from).split(CLAUSE_END).at(-1) ?? '', REACH + 1);
}

function feelingOf({ accepts, isSmallTalk, folded, sentence, lexicon: { acts } }: Reading): Feeling {
  const signs = MAY_BE_SIGN.test(sentence.text) ? sentence.text : '';
  const feeling = {
    positive:
      countOf(HAPPY, signs) +
      SMILING * countOf(SMILE, signs) +
      POLITE * countOf(everywhere(acts.polite), folded) +
      REACTION * countOf(everywhere(acts.delight), folded),
    negative: countOf(UNHAPPY, signs) + REACTION * countOf(everywhere(acts.dismay), folded),
  };
  // Whoever threatens, or is without what they pay for, is not content, whatever words they choose.
  if (acts.threat.test(folded) && !sentence.utterance.fromUser) feeling.negative += THREAT;
  if (acts.outage.test(folded) && !sentence.isQuestion && !sentence.utterance.fromUser) feeling.negative += OUTAGE;
  for (const { side, from, to } of feltWords(folded, acts)) {
    const isYes = side === 'positive' && from === 0 && (accepts || isSmallTalk) && !folded.slice(0, to).includes(' ');
    if (!acts.negation.test(wordsBefore(folded, from))) feeling[side] += isYes ? YES : 1;
    // "No problem" is not praise: a negated bad word counts for nothing, a negated good one as bad.
    else if (side === 'positive') feeling.negative += 1;
  }
  const stress = countOf(STRESS, signs);
  feeling[feeling.negative > 0 ? 'negative' : 'positive'] += stress;
  return feeling;
}
