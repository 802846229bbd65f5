import type { Db } from '../../../lib/db.ts';
import type { JobHandler } from '../../../lib/queue.ts';
import { sweepOrphans } from './service.ts';

export function orphansJob(deps: { db: Db }): JobHandler {
  return async () => sweepOrphans(deps);
}
