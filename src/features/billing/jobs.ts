import type { JobHandler } from '../../lib/queue.ts';
import { cancelNow } from './cancelSubscriptions.ts';
import { cancelPayload } from './schema.ts';

export function cancelJob(deps: Parameters<typeof cancelNow>[0]): JobHandler {
  return async ({ data }) => cancelNow(deps, cancelPayload.parse(data));
}
