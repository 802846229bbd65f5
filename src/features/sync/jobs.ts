import type { JobHandler } from '../../lib/queue.ts';
import { runSync } from './runSync.ts';
import { syncPayload } from './schema.ts';
import type { SyncDeps } from './syncAccount.ts';

export function syncJob(deps: SyncDeps): JobHandler {
  return async ({ data, signal }) => runSync(deps, syncPayload.parse(data), signal);
}
