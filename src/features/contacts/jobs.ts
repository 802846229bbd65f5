import type { JobHandler } from '../../lib/queue.ts';
import { crmReadyJob } from '../crm/schema.ts';
import type { ContactsDeps } from './decide.ts';
import { matchWaiting } from './matchWaiting.ts';

/** A CRM account was connected after conversations had been read. */
export function crmConnectedJob(deps: ContactsDeps): JobHandler {
  return async ({ data, signal }) => matchWaiting(deps, { ...crmReadyJob.parse(data), signal });
}
