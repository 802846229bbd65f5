import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { JobHandler, Queue } from '../../lib/queue.ts';
import type { CrmSideDeps } from './crmSide.ts';
import { queueDailySyncs } from './dailySyncs.ts';
import { type RegenerateDeps, regenerate } from './regenerate.ts';
import { regeneratePayload } from './regenerateSchema.ts';
import { runSync } from './runSync.ts';
import { syncLaterPayload, syncPayload } from './schema.ts';
import { triggerSync } from './service.ts';
import type { SyncDeps } from './syncAccount.ts';

export function syncLaterJob(deps: { db: Db; queue: Queue; clock: Clock }): JobHandler {
  return async ({ data }) => void (await triggerSync(deps, { ...syncLaterPayload.parse(data), kind: 'retry' }));
}

export function dailySyncJob(deps: { db: Db; queue: Queue; clock: Clock }): JobHandler {
  return async () => queueDailySyncs(deps);
}

export function syncJob(deps: SyncDeps & CrmSideDeps): JobHandler {
  return async ({ data, signal }) => runSync(deps, syncPayload.parse(data), signal);
}

export function regenerateJob(deps: RegenerateDeps): JobHandler {
  return async ({ data, signal }) => regenerate(deps, regeneratePayload.parse(data), signal);
}
