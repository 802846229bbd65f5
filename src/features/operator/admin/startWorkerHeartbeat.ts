import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import * as repo from './repo.ts';

const HEARTBEAT_MS = 60_000;

type Deps = { db: Db; clock: Clock; log: Log };

/**
 * Records every minute that this worker is alive. Returns a function that stops it and deletes its row; a worker that
 * was killed leaves the row for the heartbeat to find.
 */
export async function startWorkerHeartbeat({ db, clock, log }: Deps): Promise<() => Promise<void>> {
  const id = randomUUID();
  const startedAt = clock.now();
  const record = () => repo.recordHeartbeat(db, { id, startedAt, now: clock.now() });
  await record();
  const timer = setInterval(() => {
    record().catch(err => log.warn({ err }, 'worker heartbeat failed'));
  }, HEARTBEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await repo.deleteWorker(db, id).catch(err => log.warn({ err }, 'worker not signed off'));
  };
}
