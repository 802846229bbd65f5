import { MAX_DISTANCE } from './context.ts';
import { type DayRead, HEAD_COUNT, HEAD_INDEX, type Head } from './features.ts';
import type { Joined } from './joined.ts';

/** A message with a lower score for binding is no action item, whatever follows it. */
export const MIN_COMMITMENT_SCORE = -1;

const NONE = -8;
const OF_NEAREST: Head[] = ['binds', 'asked', 'settles', 'waits', 'self', 'essential'];
const SHAPE = 9;
const WIDTH = HEAD_COUNT + 4 * (5 + OF_NEAREST.length) + SHAPE;

/**
 * The features by which a message that binds is judged to be still open at the end of its day: its own scores, and
 * those of the messages that belong to it, by its author and others. `scores`: of the second pass.
 */
export function outcomeRow(day: DayRead, scores: Float32Array, joined: Joined, at: number): Float32Array {
  const { messages, isGroup, user } = day;
  const { from, text, namesDay = false } = messages[at]!;
  const row = new Float32Array(WIDTH);
  row.set(scores.subarray(at * HEAD_COUNT, (at + 1) * HEAD_COUNT));
  let end = HEAD_COUNT;
  const push = (value: number) => {
    row[end++] = value;
  };
  for (const step of [1, -1])
    for (const isOwn of [true, false]) {
      let [most, bound, nearest, nearness, sum] = [NONE, NONE, -1, NONE, 0];
      const about = HEAD_INDEX[step > 0 ? 'settles' : 'asked'];
      for (let other = at + step; Math.abs(other - at) <= MAX_DISTANCE && messages[other]; other += step) {
        if ((messages[other]!.from === from) !== isOwn) continue;
        const score = joined(at, other);
        sum += 1 / (1 + Math.exp(-score));
        most = Math.max(most, Math.min(score, scores[other * HEAD_COUNT + about]!));
        bound = Math.max(bound, Math.min(score, scores[other * HEAD_COUNT + HEAD_INDEX.binds]!));
        if (score > nearness) [nearest, nearness] = [other, score];
      }
      for (const value of [most, bound, nearness, sum]) push(value);
      push(nearest < 0 ? MAX_DISTANCE + 1 : Math.abs(nearest - at));
      for (const head of OF_NEAREST) push(nearest < 0 ? NONE : scores[nearest * HEAD_COUNT + HEAD_INDEX[head]]!);
    }
  const binds = (other: number) => scores[other * HEAD_COUNT + HEAD_INDEX.binds]!;
  let higher = 0;
  for (let other = 0; other < messages.length; other++) higher += Number(binds(other) > binds(at));
  const shape = [higher, messages.length, messages.length - at, Number(isGroup), Number(from === user), text.length];
  row.set([...shape, Number(/[?？؟;]/.test(text)), Number(/\d/.test(text)), Number(namesDay)], end);
  return row;
}
