/** What a check found. `words` is a sentence without anything a person wrote, and without a secret. */
export type Finding = { name: string; verdict: 'holds' | 'does not hold' | 'left out'; words: string };

/** Thrown by a check that can't be made: nothing is configured for it, or the person skips it. */
export class LeftOut extends Error {}

/** Asks the person at the terminal; '' when they just press Enter, or when no one is there. */
export type Ask = (question: string, options?: { isSecret?: boolean }) => Promise<string>;

/** One thing to check. Resolves with what was seen; throws {@link LeftOut}, or what went wrong. */
export type Check = { name: string; run: () => Promise<string> };

/** What was made for the check and has to go. */
export type CleanUp = (what: string, undo: () => Promise<void>) => void;

/** Makes the checks one after the other: a later one may need what an earlier one found. */
export async function makeChecks(checks: readonly Check[], tell: (finding: Finding) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, run } of checks) {
    const finding = await outcomeOf(name, run);
    tell(finding);
    findings.push(finding);
  }
  return findings;
}

/** Undoes in the opposite order, whatever fails. Resolves with what is left behind. */
export async function cleanUpAll(made: readonly { what: string; undo: () => Promise<void> }[]): Promise<Finding[]> {
  const left: Finding[] = [];
  for (const { what, undo } of made.toReversed()) {
    const words = await undo().then(
      () => '',
      err => `${what} is left behind (${wordsFor(err)}): remove it by hand`,
    );
    if (words) left.push({ name: 'cleaning up', verdict: 'does not hold', words });
  }
  return left;
}

async function outcomeOf(name: string, run: () => Promise<string>): Promise<Finding> {
  try {
    return { name, verdict: 'holds', words: await run() };
  } catch (err) {
    if (err instanceof LeftOut) return { name, verdict: 'left out', words: err.message };
    return { name, verdict: 'does not hold', words: wordsFor(err) };
  }
}

/** Errors of the clients have a code, and quote nothing. */
function wordsFor(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  return 'code' in err && typeof err.code === 'string' ? err.code : err.message;
}
