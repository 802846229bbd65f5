import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';
import { until } from './until.ts';

const EVERY_MS = 100;

/** Removes the pauses between attempts of jobs and notes while the work runs. */
export async function withoutPauses<T>(db: Db, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const result = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await makeRetriesDue(db);
    await db('outbox_notes').whereNull('claim').whereNotNull('claimed_until').update({ claimed_until: null });
    await Promise.race([sleep(EVERY_MS), result]).catch(() => undefined);
  }
  return result;
}

/** Makes everything that waits for a retry due now. */
export async function makeRetriesDue(db: Db): Promise<void> {
  await db('pgboss.job')
    .where({ state: 'retry' })
    .where('start_after', '>', db.fn.now())
    .update({ start_after: db.fn.now() });
}

/** Waits until no job of this queue can do anything more, its retries among them. */
export async function untilJobsEnd(db: Db, name: string): Promise<void> {
  await until(async () => {
    await makeRetriesDue(db);
    const [open] = await db('pgboss.job').where({ name }).whereIn('state', ['created', 'active', 'retry']);
    return !open;
  });
}

/** Expires the leases of workers on jobs and accounts: call it once these are dead. */
export async function expireLeases(db: Db): Promise<void> {
  const longAgo = db.raw(`now() - interval '1 hour'`);
  await db('pgboss.job').where({ state: 'active' }).whereNotNull('heartbeat_on').update({ heartbeat_on: longAgo });
  await db('leases').update({ held_until: longAgo });
}
