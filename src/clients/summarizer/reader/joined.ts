import { FARTHEST, pairRow } from './context.ts';
import type { DayRead, DayWords } from './features.ts';
import { countWords, wordsShared } from './shared.ts';
import { scoreTrees, type Trees } from './trees.ts';

/** How likely two messages belong to one exchange, as a score. */
export type Joined = (one: number, other: number) => number;

export function joinedIn(pair: Trees, day: DayRead, words: DayWords, scores: Float32Array): Joined {
  const count = day.messages.length;
  const counts = countWords([words]);
  const known = new Float64Array(count * (FARTHEST + 1)).fill(Number.NaN);
  return (one, other) => {
    const [first, second] = one < other ? [one, other] : [other, one];
    if (second - first > FARTHEST || first === second) return -Infinity;
    const key = first * (FARTHEST + 1) + second - first;
    if (Number.isNaN(known[key])) {
      const overlap = wordsShared(words[first]!, words[second]!, counts);
      known[key] = scoreTrees(pair, pairRow(day, scores, first, second, overlap));
    }
    return known[key]!;
  };
}
