import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';

const EVERY_MS = 100;

/** While the work is under way, nothing waits between two tries: no job and no note. */
export async function hurried<T>(db: Db, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const result = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await hurryJobs(db);
    await db('crm_notes').whereNull('claim').whereNotNull('claimed_until').update({ claimed_until: null });
    await Promise.race([sleep(EVERY_MS), result]).catch(() => undefined);
  }
  return result;
}

/** What waits for another try is due now. */
export async function hurryJobs(db: Db): Promise<void> {
  await db('pgboss.job')
    .where({ state: 'retry' })
    .where('start_after', '>', db.fn.now())
    .update({ start_after: db.fn.now() });
}

/** The workers that hold jobs and accounts now have been silent for too long: call it once they are dead. */
export async function missHeartbeats(db: Db): Promise<void> {
  const longAgo = db.raw(`now() - interval '1 hour'`);
  await db('pgboss.job').where({ state: 'active' }).whereNotNull('heartbeat_on').update({ heartbeat_on: longAgo });
  await db('messenger_accounts').update({ lease_until: longAgo });
}
