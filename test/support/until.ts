import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';

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

/** Waits until a statement waits for what another one has locked. */
export async function untilLocked(db: Db): Promise<void> {
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await db.raw(waits)).rows.length > 0);
}
