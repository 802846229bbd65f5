import type { DayWords } from './features.ts';

/** How many messages have a word or a run of letters, by its hash. */
export type Frequencies = Map<number, number>;

export function countWords(days: DayWords[]): Frequencies {
  const counts: Frequencies = new Map();
  for (const day of days)
    for (const { words } of day)
      for (const hash of new Set(words.flatMap(word => [word.hash, ...word.grams]))) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

const SHORTEST = 3;

/** How much two messages speak of the same: words and letters that few messages have, the rarer the more. */
export function wordsShared(one: DayWords[number], other: DayWords[number], counts: Frequencies): number {
  const has = new Set<number>();
  for (let at = 0; at < one.words.length; at++)
    if (one.tokens[at]!.length >= SHORTEST) for (const gram of one.words[at]!.grams) has.add(gram);
  let shared = 0;
  for (let at = 0; at < other.words.length; at++) {
    if (other.tokens[at]!.length < SHORTEST) continue;
    for (const gram of other.words[at]!.grams) {
      if (!has.delete(gram)) continue;
      const count = counts.get(gram) ?? 1;
      shared += 1 / (count * count);
    }
  }
  return shared;
}
