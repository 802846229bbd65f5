import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import * as repo from './repo.ts';

const BEAT_MS = 60_000;

type Deps = { db: Db; clock: Clock; log: Log };

/**
 * Says every minute that this worker is alive. Returns how to end that politely, which takes its row along; one that
 * was killed leaves it, for the heartbeat to find.
 */
export async function startBeating({ db, clock, log }: Deps): Promise<() => Promise<void>> {
  const id = randomUUID();
  const startedAt = clock.now();
  const beat = () => repo.beat(db, { id, startedAt, now: clock.now() });
  await beat();
  const timer = setInterval(() => {
    beat().catch(err => log.warn({ err }, 'worker heartbeat failed'));
  }, BEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await repo.deleteWorker(db, id).catch(err => log.warn({ err }, 'worker not signed off'));
  };
}
