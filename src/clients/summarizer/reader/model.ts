import { contextFeatures } from './context.ts';
import { type DayRead, type DayWords, HEAD_COUNT, HEAD_INDEX, type Head, listSlots, readDayWords } from './features.ts';
import { createJoined, type Joined } from './joined.ts';
import { MIN_COMMITMENT_SCORE, outcomeRow } from './outcome.ts';
import { scoreTrees, type Trees } from './trees.ts';

/** Minimum scores of the model's outputs; see `training/README.md`. */
export type Thresholds = { binds: number; self: number; waits: number; joined: number; asks: number };

export type Model = {
  /** `HEAD_COUNT` weights per slot, to be multiplied by their head's scale. */
  weights: Int8Array;
  scales: Float32Array;
  /** The second pass, one entry for each head; null for a head that keeps the score of the first pass. */
  context: (Trees | null)[];
  pair: Trees;
  /** The third pass: whether a message that binds is still to be done. */
  outcome: Trees;
  ends: Trees;
  thresholds: Thresholds;
};

export type DayScored = { day: DayRead; words: DayWords; scores: Float32Array; joined: Joined };

export function scoreDay(model: Model, day: DayRead): DayScored {
  const words = readDayWords(day);
  const scores = secondPass(model.context, day, scoreWords(model, day, words));
  const joined = createJoined(model.pair, day, words, scores);
  return { day, words, scores: thirdPass(model.outcome, day, scores, joined), joined };
}

/** `HEAD_COUNT` scores per message, by its words and those of its neighbors: the first pass. */
export function scoreWords(model: Model, day: DayRead, words = readDayWords(day)): Float32Array {
  const first = new Float32Array(day.messages.length * HEAD_COUNT);
  for (let at = 0; at < day.messages.length; at++) addWeights(model, listSlots(day, words, at), first, at * HEAD_COUNT);
  return first;
}

/** A head's score for words alone, without the rest of their day. */
export function scoreText(model: Model, text: string, head: Head): number {
  return scoreWords(model, { isGroup: false, user: '', messages: [{ from: '?', text }] })[HEAD_INDEX[head]]!;
}

function addWeights(
  { weights, scales }: Pick<Model, 'weights' | 'scales'>,
  slots: Int32Array,
  into: Float32Array,
  at: number,
): void {
  const sums = new Int32Array(HEAD_COUNT);
  for (const slot of slots) {
    const base = slot * HEAD_COUNT;
    for (let head = 0; head < HEAD_COUNT; head++) sums[head]! += weights[base + head]!;
  }
  for (let head = 0; head < HEAD_COUNT; head++) into[at + head] = sums[head]! * scales[head]!;
}

function secondPass(context: (Trees | null)[], day: DayRead, first: Float32Array): Float32Array {
  const scores = Float32Array.from(first);
  for (let at = 0; at < day.messages.length; at++) {
    const row = contextFeatures(day, first, at);
    for (let head = 0; head < HEAD_COUNT; head++) {
      const trees = context[head];
      if (trees) scores[at * HEAD_COUNT + head]! += scoreTrees(trees, row);
    }
  }
  return scores;
}

export function thirdPass(outcome: Trees, day: DayRead, scores: Float32Array, joined: Joined): Float32Array {
  const last = Float32Array.from(scores);
  for (let at = HEAD_INDEX.binds; at < last.length; at += HEAD_COUNT)
    if (scores[at]! >= MIN_COMMITMENT_SCORE)
      last[at]! += scoreTrees(outcome, outcomeRow(day, scores, joined, Math.floor(at / HEAD_COUNT)));
  return last;
}
