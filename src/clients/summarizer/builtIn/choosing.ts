import { isSecret } from '../masking.ts';
import type { Turn } from './reading.ts';
import type { Reading } from './types.ts';

/** A sentence with what it is worth to someone who was not there. */
export type Worthy = { reading: Reading; worth: number };

const SHARED = 1.5;
const SHORT = 6;
const LENGTH_POWER = 0.8;
const LONGEST = 45;

/**
 * Every sentence that may stand in a summary in its own words, in the order it was said. Worth: how much of what the talk came back
 * to is in it, whether something is decided, known or gone wrong by it, and how late it comes.
 */
export function weigh(turns: Turn[], names: ReadonlySet<string>): Worthy[] {
  const readings = turns.flatMap(({ readings: of, utterance }) => (utterance.forwarded ? [] : of));
  const weights = weighStems(readings);
  return readings.flatMap((reading, at) => {
    const { sentence, isSmallTalk, isMoment } = reading;
    if (
      isSmallTalk ||
      isMoment ||
      isGreeting(sentence.words, names) ||
      isSecret(sentence.text) ||
      sentence.words.length > 2 * LONGEST
    )
      return [];
    return [{ reading, worth: centrality(reading, weights) * actFactor(reading) * place(at, readings.length) }];
  });
}

/** A name and hardly more: "Hi Callum!" */
function isGreeting(words: string[], names: ReadonlySet<string>): boolean {
  return words.length <= 4 && words.some(word => names.has(word)) && words.filter(word => !names.has(word)).length <= 2;
}

function weighStems(readings: Reading[]): Map<string, number> {
  const counts = new Map<string, { times: number; speakers: Set<string> }>();
  for (const { sentence } of readings) {
    for (const stem of sentence.stems) {
      const count = counts.get(stem) ?? { times: 0, speakers: new Set() };
      count.times += 1;
      count.speakers.add(sentence.utterance.speaker);
      counts.set(stem, count);
    }
  }
  return new Map(
    [...counts].map(([stem, { times, speakers }]) => [stem, Math.log2(1 + times) * (speakers.size > 1 ? SHARED : 1)]),
  );
}

/** Weight of the words per length, with short sentences kept from winning by one word. */
function centrality({ sentence: { stems, words } }: Reading, weights: Map<string, number>): number {
  const sum = stems.reduce((total, stem) => total + (weights.get(stem) ?? 0), 0);
  return sum / Math.max(words.length, SHORT) ** LENGTH_POWER / (words.length > LONGEST ? 2 : 1);
}

function actFactor({ folded, sentence, lexicon: { acts }, isConditional, isVague }: Reading): number {
  let factor = sentence.isQuestion ? 0.9 : 1;
  if (acts.decides.test(folded)) factor *= 1.4;
  if (acts.outage.test(folded) || acts.threat.test(folded) || acts.negative.test(folded)) factor *= 1.25;
  if (/\p{N}/u.test(sentence.text)) factor *= 1.2;
  if (acts.needs.test(folded)) factor *= 1.15;
  if (isConditional || isVague) factor *= 0.8;
  return factor;
}

/** Talks open with their matter and close with what comes of it. */
function place(at: number, of: number): number {
  const share = at / Math.max(of - 1, 1);
  if (share <= 0.2) return 1.7;
  return share >= 0.75 ? 1.15 : 1;
}
