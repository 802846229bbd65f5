import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work without a break. */
const MAX_STEP_MS = 25;

/**
 * Breaks long work up, so that it doesn't hold up heartbeats and other jobs of the process: await the returned function
 * between two parts of the work. It waits for a turn of the event loop when the last break was more than 25 ms ago.
 */
export function createYielder(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < MAX_STEP_MS) return;
    await setImmediate();
    begun = performance.now();
  };
}

/** Maps a list that may be long, and yields between items. */
export async function mapInSteps<T, R>(list: readonly T[], map: (item: T) => R): Promise<R[]> {
  const yieldIfLong = createYielder();
  const mapped: R[] = [];
  for (const item of list) {
    await yieldIfLong();
    mapped.push(map(item));
  }
  return mapped;
}
