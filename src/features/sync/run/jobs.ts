import type { JobHandler } from '../../../lib/queue.ts';
import { syncPayload } from '../schema.ts';
import type { CrmSideDeps } from './openCrmSide.ts';
import { runSync } from './runSync.ts';
import type { SyncDeps } from './syncAccount.ts';

export function syncJob(deps: SyncDeps & CrmSideDeps): JobHandler {
  return async ({ data, signal }) => runSync(deps, syncPayload.parse(data), signal);
}
