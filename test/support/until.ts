import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';

/** Much longer than anything takes on a slow machine, and shorter than a test may. */
export const PATIENCE_SECONDS = 120;

/** Waits until it holds. Rejects with its source when it still does not. */
export async function until(what: () => unknown): Promise<void> {
  const end = performance.now() + PATIENCE_SECONDS * 1000;
  const pause = pauses(20);
  while (!(await what())) {
    if (performance.now() > end) throw new Error(`never came true: ${what}`);
    await pause();
  }
}

/**
 * Between one look and the next: a tenth of what was waited so far, from `shortest` milliseconds to half a second. On a busy
 * machine a wait gets long, and looking often would make it longer.
 */
export function pauses(shortest: number): () => Promise<void> {
  const began = performance.now();
  return () => sleep(Math.min(500, Math.max(shortest, (performance.now() - began) / 10)));
}

/** Waits until a statement waits for what another one has locked. */
export async function untilLocked(db: Db): Promise<void> {
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await db.raw(waits)).rows.length > 0);
}
