import { setTimeout as pause } from 'node:timers/promises';

/** Waits until this holds. Rejects after five seconds. */
export async function eventually(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Not within five seconds: ${holds}`);
    await pause(10);
  }
}
