/** The same choices for the same seed: a xorshift generator, good enough to deal names. */
export type Random = {
  /** 0 up to, not including, `most`. */
  below(most: number): number;
  pick<T>(choices: readonly T[]): T;
  shuffled<T>(things: readonly T[]): T[];
};

export function seededRandom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const below = (most: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
  };
  return {
    below,
    pick<T>(choices: readonly T[]): T {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('there is nothing to choose from');
      return chosen;
    },
    shuffled(things) {
      const dealt = [...things];
      for (let at = dealt.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [dealt[at], dealt[other]] = [dealt[other] as (typeof dealt)[number], dealt[at] as (typeof dealt)[number]];
      }
      return dealt;
    },
  };
}
