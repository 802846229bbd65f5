import type { JobHandler } from '../../../lib/queue.ts';
import { type DeliverDeps, deliverAlerts } from './deliverAlerts.ts';

export function alertJob(deps: DeliverDeps): JobHandler {
  return async ({ signal }) => deliverAlerts(deps, signal);
}
