import type { JobHandler } from '../../../lib/queue.ts';
import { digestMailPayload } from '../../sync/schema.ts';
import { type DigestMailDeps, sendDigestMail } from './sendDigestMail.ts';

export function digestMailJob(deps: DigestMailDeps): JobHandler {
  return async ({ data }) => sendDigestMail(deps, digestMailPayload.parse(data));
}
