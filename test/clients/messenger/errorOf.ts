/** What this rejects with. Fails when it does not reject. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`Resolved with ${JSON.stringify(outcome.value)} instead of rejecting`);
}
