import { contextOf } from './context.ts';
import { COUNT, type DayRead, type DayWords, slotsOf, wordsOfDay } from './features.ts';
import { scoreTrees, type Trees } from './trees.ts';

/** From which score on something is said; see `training/README.md`. */
export type Thresholds = { binds: number; self: number; waits: number; joined: number; asks: number };

export type Model = {
  /** COUNT a slot, each times its head's scale. */
  weights: Int8Array;
  scales: Float32Array;
  /** Of the second pass, a head each; what it doesn't learn is as in the first. */
  context: (Trees | null)[];
  pair: Trees;
  ends: Trees;
  thresholds: Thresholds;
};

export type DayScored = { day: DayRead; words: DayWords; first: Float32Array; scores: Float32Array };

export function scoreDay(model: Model, day: DayRead): DayScored {
  const words = wordsOfDay(day);
  const first = new Float32Array(day.messages.length * COUNT);
  for (let at = 0; at < day.messages.length; at++) addWeights(model, slotsOf(day, words, at), first, at * COUNT);
  return { day, words, first, scores: secondPass(model.context, day, first) };
}

function addWeights(
  { weights, scales }: Pick<Model, 'weights' | 'scales'>,
  slots: Int32Array,
  into: Float32Array,
  at: number,
): void {
  const sums = new Int32Array(COUNT);
  for (const slot of slots) {
    const base = slot * COUNT;
    for (let head = 0; head < COUNT; head++) sums[head]! += weights[base + head]!;
  }
  for (let head = 0; head < COUNT; head++) into[at + head] = sums[head]! * scales[head]!;
}

function secondPass(context: (Trees | null)[], day: DayRead, first: Float32Array): Float32Array {
  const scores = Float32Array.from(first);
  for (let at = 0; at < day.messages.length; at++) {
    const row = contextOf(day, first, at);
    for (let head = 0; head < COUNT; head++) {
      const trees = context[head];
      if (trees) scores[at * COUNT + head]! += scoreTrees(trees, row);
    }
  }
  return scores;
}
