import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { JobHandler, Queue } from '../../lib/queue.ts';
import { queueDailySyncs } from './queueDailySyncs.ts';
import { syncLaterPayload } from './schema.ts';
import { triggerSync } from './service.ts';

export function syncLaterJob(deps: { db: Db; queue: Queue; clock: Clock }): JobHandler {
  return async ({ data }) => void (await triggerSync(deps, { ...syncLaterPayload.parse(data), kind: 'retry' }));
}

export function dailySyncJob(deps: { db: Db; queue: Queue; clock: Clock }): JobHandler {
  return async () => queueDailySyncs(deps);
}
