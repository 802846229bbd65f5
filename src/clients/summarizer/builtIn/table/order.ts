import type { Grammar } from './parts.ts';

/** A word of the task in each form it is written in; `isPerson` where a name replaced "me" or "you". */
export type Kept = { infinitive: string; does: string; low: string; at: number; isPerson: boolean };

/** No "and" at either end, and no "when" without its clause. */
export function trimmed(kept: Kept[], { and, prepositions, subordinators }: Grammar): Kept[] {
  const isAnd = (word: Kept | undefined) => word !== undefined && and.includes(word.low);
  const isLoose = (word: Kept | undefined) => word !== undefined && subordinators.includes(word.low);
  let [from, to] = [0, kept.length];
  while (from < to && isAnd(kept[from])) from += 1;
  while (to > from && (isAnd(kept[to - 1]) || isLoose(kept[to - 1]))) to -= 1;
  const left = kept.slice(from, to);
  return left.filter(({ low, at }, index) => {
    const next = left[index + 1];
    // What followed the preposition was dropped: "к моим в пятницу".
    return !prepositions.includes(low) || (next !== undefined && (next.at === at + 1 || next.low.length > 2));
  });
}

/** Persons next to the verb, then things; a day that stood before the verb comes last. */
export function inOrder(kept: Kept[], verbAt: number, day: string, grammar: Grammar): Kept[] {
  const { verbLast, doesLast, infinitives } = grammar;
  if (verbLast || doesLast) return kept;
  const persons = kept.filter(({ isPerson, at }) => isPerson && at <= verbAt + 1);
  const others = kept.filter(word => !persons.includes(word));
  const days = daysBefore(others, verbAt, day);
  // "Far sapere a Nora", "faire parvenir à Nora": a second verb goes before them.
  const second = others.filter(
    ({ low, at }) => at === verbAt + 1 && low.length > 4 && infinitives.some(ending => low.endsWith(ending)),
  );
  return [...second, ...persons, ...others.filter(word => !days.includes(word) && !second.includes(word)), ...days];
}

/** The words of the day, if all of them come before the verb. */
function daysBefore(kept: Kept[], verbAt: number, day: string): Kept[] {
  const wanted = day.toLowerCase().split(' ').filter(Boolean);
  const before = kept.filter(({ at, low }) => at < verbAt && wanted.includes(low));
  return before.length === wanted.length ? before : [];
}
