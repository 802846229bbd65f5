import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { JobHandler } from '../../../lib/queue.ts';
import type { Alerts } from '../../base/alerts/service.ts';
import { cleanUp } from './cleanUp.ts';

export function cleanUpJob(deps: { db: Db; clock: Clock; alerts: Alerts; log: Log }): JobHandler {
  return async ({ signal }) => cleanUp(deps, signal);
}
