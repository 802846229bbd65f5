import type { JobHandler } from '../../lib/queue.ts';
import { type DeliverDeps, deliverAlerts } from './deliver.ts';

export function alertJob(deps: DeliverDeps): JobHandler {
  return async ({ signal }) => deliverAlerts(deps, signal);
}
