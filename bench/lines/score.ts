import type { Key } from './days.ts';

/** A digest by the ids of the messages that it cites, line by line of each exchange. */
export type Digest = { text: string; exchanges: string[][][] };

export type Counts = {
  essential: number;
  /** Essential ones of which both the first and the last message are cited. */
  shown: number;
  /** Essential ones of which any message is cited. */
  touched: number;
  lines: number;
  linesThatMatter: number;
  exchanges: number;
  exchangesThatMatter: number;
  characters: number;
  cited: ReadonlySet<string>;
};

export function countsOf({ text, exchanges }: Digest, keys: Key[]): Counts {
  const cited = new Set(exchanges.flat(2));
  const wanted = new Set(keys.flatMap(({ messages }) => messages.map(String)));
  const essential = keys.filter(({ weight }) => weight === 'essential');
  const matters = (ids: string[]) => ids.some(id => wanted.has(id));
  return {
    essential: essential.length,
    shown: essential.filter(({ messages }) => [messages[0], messages.at(-1)].every(id => cited.has(`${id}`))).length,
    touched: essential.filter(({ messages }) => messages.some(id => cited.has(`${id}`))).length,
    lines: exchanges.flat().length,
    linesThatMatter: exchanges.flat().filter(matters).length,
    exchanges: exchanges.length,
    exchangesThatMatter: exchanges.filter(lines => matters(lines.flat())).length,
    characters: text.length,
    cited,
  };
}

const DRAWS = 1000;

/** "83 (77–88)": a share in percent over all days, and its interval over draws of days with replacement. */
export function rateOf(counts: Counts[], share: (one: Counts) => [part: number, whole: number]): string {
  const shares = counts.map(share);
  const rate = (of: [number, number][]) => {
    const [part, whole] = of.reduce(([some, all], [one, other]) => [some + one, all + other], [0, 0]);
    return whole === 0 ? 0 : (100 * part) / whole;
  };
  const random = generator();
  const draws = Array.from({ length: DRAWS }, () =>
    rate(shares.map(() => shares[Math.floor(random() * shares.length)] ?? [0, 0])),
  ).toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [draws[Math.floor(DRAWS * 0.025)], draws[Math.ceil(DRAWS * 0.975) - 1]];
  return `${rate(shares).toFixed(0)} (${low.toFixed(0)}–${high.toFixed(0)})`.padEnd(13);
}

/** The same draws in every run, so that two runs differ only in what they measure (mulberry32). */
function generator(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
