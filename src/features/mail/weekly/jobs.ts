import type { JobHandler } from '../../../lib/queue.ts';
import { queueWeekMails, type WeekMailsDeps } from './queueWeekMails.ts';
import { weekMailPayload } from './schema.ts';
import { sendWeekMail, type WeekMailDeps } from './sendWeekMail.ts';

export function weekMailsJob(deps: WeekMailsDeps): JobHandler {
  return async () => queueWeekMails(deps);
}

export function weekMailJob(deps: WeekMailDeps): JobHandler {
  return async ({ data }) => sendWeekMail(deps, weekMailPayload.parse(data));
}
