import { setTimeout as sleep } from 'node:timers/promises';

/** Much longer than anything takes on a slow machine, and shorter than a test may. */
export const PATIENCE_SECONDS = 120;

/** Waits until it holds. Rejects with its source when it still does not. */
export async function until(what: () => unknown): Promise<void> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (!(await what())) {
    if (Date.now() > end) throw new Error(`never came true: ${what}`);
    await sleep(20);
  }
}
