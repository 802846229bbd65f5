/** Whether this is `npm run test:exhaustive`, which requires `exhaustive.ts`. */
export function isExhaustive(): boolean {
  return process.env.FORENOON_TEST_EXHAUSTIVE === '1';
}

/**
 * Of what a test searches through, `npm test` looks at every `oneIn`th, always the same, and `npm run test:exhaustive` at
 * the others: together they look at each once.
 * @param from where the counting begins, so that a table of tests does not try the same column in each row
 */
export function sample<T>(all: readonly T[], oneIn: number, from = 0): T[] {
  return sampleBy(all, (_, at) => (at + from) % oneIn === 0);
}

/** The same with a choice of one's own. */
export function sampleBy<T>(all: readonly T[], isIn: (one: T, at: number) => boolean): T[] {
  return all.filter((one, at) => isIn(one, at) !== isExhaustive());
}
