import type { JobHandler } from '../../../lib/queue.ts';
import { type RewriteDeps, runRewrite } from './runRewrite.ts';
import { regeneratePayload } from './schema.ts';

export function rewriteJob(deps: RewriteDeps): JobHandler {
  return async ({ data, signal }) => runRewrite(deps, regeneratePayload.parse(data), signal);
}
