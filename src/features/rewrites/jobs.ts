import type { JobHandler } from '../../lib/queue.ts';
import { type RegenerateDeps, regenerate } from './rewriteDigest.ts';
import { regeneratePayload } from './schema.ts';

export function regenerateJob(deps: RegenerateDeps): JobHandler {
  return async ({ data, signal }) => regenerate(deps, regeneratePayload.parse(data), signal);
}
