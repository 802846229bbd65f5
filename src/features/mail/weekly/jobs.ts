import type { JobHandler } from '../../../lib/queue.ts';
import { weekMailPayload } from './schema.ts';
import { queueWeekMails, sendWeekMail, type WeekMailDeps, type WeekMailsDeps } from './service.ts';

export function weekMailsJob(deps: WeekMailsDeps): JobHandler {
  return async () => queueWeekMails(deps);
}

export function weekMailJob(deps: WeekMailDeps): JobHandler {
  return async ({ data }) => sendWeekMail(deps, weekMailPayload.parse(data));
}
