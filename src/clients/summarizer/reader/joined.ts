import { MAX_DISTANCE, pairRow } from './context.ts';
import type { DayRead, DayWords } from './features.ts';
import { scoreTrees, type Trees } from './trees.ts';

/** How likely two messages belong to one exchange, as a score. */
export type Joined = (one: number, other: number) => number;

export function createJoined(pair: Trees, day: DayRead, words: DayWords, scores: Float32Array): Joined {
  const count = day.messages.length;
  const counts = countWords([words]);
  const known = new Float64Array(count * (MAX_DISTANCE + 1)).fill(Number.NaN);
  return (one, other) => {
    const [first, second] = one < other ? [one, other] : [other, one];
    if (second - first > MAX_DISTANCE || first === second) return -Infinity;
    const key = first * (MAX_DISTANCE + 1) + second - first;
    if (Number.isNaN(known[key])) {
      const overlap = scoreSharedWords(words[first]!, words[second]!, counts);
      known[key] = scoreTrees(pair, pairRow(day, scores, first, second, overlap));
    }
    return known[key]!;
  };
}

/** Number of messages with a word, by the hash of its beginning. */
type Frequencies = Map<number, number>;

export function countWords(days: DayWords[]): Frequencies {
  const counts: Frequencies = new Map();
  for (const day of days)
    for (const { words } of day)
      for (const [at, { stem }] of words.entries())
        if (stem !== 0 && words.findIndex(other => other.stem === stem) === at)
          counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/** How much two messages speak of the same: words that begin alike, the fewer messages have them the more. */
export function scoreSharedWords(one: DayWords[number], other: DayWords[number], counts: Frequencies): number {
  const { words } = other;
  let shared = 0;
  for (let at = 0; at < words.length; at++) {
    const { stem } = words[at]!;
    if (stem === 0 || !hasStem(one, stem, one.words.length) || hasStem(other, stem, at)) continue;
    shared += 1 / (counts.get(stem) ?? 1);
  }
  return shared;
}

function hasStem({ words }: DayWords[number], stem: number, before: number): boolean {
  for (let at = 0; at < before; at++) if (words[at]!.stem === stem) return true;
  return false;
}
