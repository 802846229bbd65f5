import type { Db } from '../../lib/db.ts';
import type { JobHandler } from '../../lib/queue.ts';
import { sweepRemains } from './service.ts';

export function remainsJob(deps: { db: Db }): JobHandler {
  return async () => sweepRemains(deps);
}
