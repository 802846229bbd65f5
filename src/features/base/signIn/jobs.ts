import type { JobHandler } from '../../../lib/queue.ts';
import { signInMailPayload } from './schema.ts';
import { type SendDeps, sendSignInMail } from './sendSignInMail.ts';

export function signInMailJob(deps: SendDeps): JobHandler {
  return async ({ data }) => sendSignInMail(deps, signInMailPayload.parse(data));
}
