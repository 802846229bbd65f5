import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import type { JobHandler } from '../../lib/queue.ts';
import { cleanUp } from './cleanUp.ts';
import { sweepRemains } from './remains.ts';

export function remainsJob(deps: { db: Db }): JobHandler {
  return async () => sweepRemains(deps);
}

export function cleanUpJob(deps: { db: Db; clock: Clock; log: Log }): JobHandler {
  return async ({ signal }) => cleanUp(deps, signal);
}
