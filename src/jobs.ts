import type { Deps } from './deps.ts';
import { ALERT_CRON, ALERT_QUEUE } from './features/base/alerts/schema.ts';
import { deliverAlerts } from './features/base/alerts/service.ts';
import { SIGN_IN_MAIL_QUEUE, signInMailPayload } from './features/base/users/schema.ts';
import { sendSignInMail } from './features/base/users/service.ts';
import { CANCEL_QUEUE, cancelPayload } from './features/billing/schema.ts';
import { cancelNow } from './features/billing/service.ts';
import { matchWaiting } from './features/contacts/createContact.ts';
import { NOTES_WANTED_QUEUE, notesWantedPayload } from './features/contacts/schema.ts';
import { CRM_CONNECTED_QUEUE, CRM_READY_QUEUE, crmReadyJob } from './features/crm/schema.ts';
import { ORPHANS_QUEUE } from './features/data/account/schema.ts';
import { skipDeletedUsers, sweepOrphans } from './features/data/account/service.ts';
import { CLEAN_UP_CRON, CLEAN_UP_QUEUE, cleanUp } from './features/data/cleanUp/cleanUp.ts';
import { sendDigestMail } from './features/mail/daily/sendDigestMail.ts';
import {
  queueWeekMails,
  sendWeekMail,
  WEEK_MAIL_QUEUE,
  WEEK_MAILS_CRON,
  WEEK_MAILS_QUEUE,
  weekMailPayload,
} from './features/mail/weekly/service.ts';
import { endScan } from './features/messenger/login/checkScan.ts';
import { END_SCAN_QUEUE, endScanPayload } from './features/messenger/login/schema.ts';
import { runHeartbeat, sendDailySummary } from './features/operator/admin/runHeartbeat.ts';
import {
  DAILY_SUMMARY_CRON,
  DAILY_SUMMARY_QUEUE,
  HEARTBEAT_CRON,
  HEARTBEAT_QUEUE,
} from './features/operator/admin/schema.ts';
import { NOTES_QUEUE, NOTES_SWEEP_CRON, NOTES_SWEEP_QUEUE, notesPayload } from './features/outbox/notes/schema.ts';
import { followDecision, sweepNotes, writeNotes } from './features/outbox/notes/service.ts';
import { TASKS_SWEEP_CRON, TASKS_SWEEP_QUEUE } from './features/outbox/tasks/schema.ts';
import { resumeWriting, sweepTasks, writeTasks } from './features/outbox/tasks/service.ts';
import { closePastOfAllUsers } from './features/promises/repo.ts';
import { PAST_CRON, PAST_QUEUE, TASKS_QUEUE, tasksPayload } from './features/promises/schema.ts';
import { findOpenJob } from './features/sync/repo.ts';
import { REGENERATE_QUEUE, regeneratePayload } from './features/sync/rewrites/schema.ts';
import { runRewrite } from './features/sync/rewrites/service.ts';
import { runSync } from './features/sync/run/runSync.ts';
import {
  DAILY_SYNC_CRON,
  DAILY_SYNC_QUEUE,
  DIGEST_MAIL_QUEUE,
  digestMailPayload,
  SYNC_LATER_QUEUE,
  SYNC_QUEUE,
  syncLaterPayload,
  syncPayload,
} from './features/sync/schema.ts';
import { queueDailySyncs, triggerSync } from './features/sync/service.ts';
import { createQueues, type JobHandler, type Queue, workOn } from './lib/queue.ts';

/** Every queue there is. A job can only be sent to a queue that exists, so both web and worker create them. */
const QUEUES = [
  SIGN_IN_MAIL_QUEUE,
  SYNC_QUEUE,
  SYNC_LATER_QUEUE,
  DAILY_SYNC_QUEUE,
  DIGEST_MAIL_QUEUE,
  WEEK_MAILS_QUEUE,
  WEEK_MAIL_QUEUE,
  REGENERATE_QUEUE,
  NOTES_WANTED_QUEUE,
  CRM_READY_QUEUE,
  CRM_CONNECTED_QUEUE,
  NOTES_QUEUE,
  NOTES_SWEEP_QUEUE,
  PAST_QUEUE,
  TASKS_QUEUE,
  TASKS_SWEEP_QUEUE,
  CANCEL_QUEUE,
  ORPHANS_QUEUE,
  CLEAN_UP_QUEUE,
  END_SCAN_QUEUE,
  ALERT_QUEUE,
  HEARTBEAT_QUEUE,
  DAILY_SUMMARY_QUEUE,
];

export async function prepareQueues(queue: Queue): Promise<void> {
  await createQueues(queue, QUEUES);
}

/**
 * The job map: what works on each queue, and how many of its jobs run side by side in one worker. What runs at a time of
 * its own asks the database for it first.
 */
export async function registerJobs(deps: Deps): Promise<void> {
  const ofUsers = (handle: JobHandler) => skipDeletedUsers(deps, handle);
  const onTime =
    (handle: JobHandler): JobHandler =>
    async job => {
      await deps.clock.refresh();
      return handle(job);
    };
  const findRunningSync = async ({ userId }: { userId: string }) => (await findOpenJob(deps.db, userId))?.id;
  const { appUrl } = deps.config;
  await workOn(deps.queue, SIGN_IN_MAIL_QUEUE, {
    concurrency: 2,
    handle: ({ data }) => sendSignInMail({ ...deps, appUrl }, signInMailPayload.parse(data)),
  });
  await workOn(deps.queue, SYNC_QUEUE, {
    concurrency: deps.config.syncConcurrency,
    handle: ofUsers(({ data, signal }) => runSync(deps, syncPayload.parse(data), signal)),
  });
  await workOn(deps.queue, SYNC_LATER_QUEUE, {
    concurrency: 1,
    handle: ofUsers(
      async ({ data }) => void (await triggerSync(deps, { ...syncLaterPayload.parse(data), kind: 'retry' })),
    ),
  });
  await workOn(deps.queue, DAILY_SYNC_QUEUE, { concurrency: 1, handle: onTime(() => queueDailySyncs(deps)) });
  await deps.queue.schedule(DAILY_SYNC_QUEUE.name, DAILY_SYNC_CRON);
  await workOn(deps.queue, REGENERATE_QUEUE, {
    concurrency: 2,
    handle: ofUsers(({ data, signal }) => runRewrite(deps, regeneratePayload.parse(data), signal)),
  });
  await workOn(deps.queue, DIGEST_MAIL_QUEUE, {
    concurrency: 4,
    handle: ofUsers(({ data }) => sendDigestMail({ ...deps, appUrl }, digestMailPayload.parse(data))),
  });
  await workOn(deps.queue, WEEK_MAILS_QUEUE, { concurrency: 1, handle: onTime(() => queueWeekMails(deps)) });
  await deps.queue.schedule(WEEK_MAILS_QUEUE.name, WEEK_MAILS_CRON);
  await workOn(deps.queue, WEEK_MAIL_QUEUE, {
    concurrency: 2,
    handle: ofUsers(({ data }) => sendWeekMail({ ...deps, appUrl }, weekMailPayload.parse(data))),
  });
  await workOn(deps.queue, NOTES_WANTED_QUEUE, {
    concurrency: 2,
    handle: ofUsers(({ data }) => followDecision(deps, notesWantedPayload.parse(data))),
  });
  await workOn(deps.queue, CRM_READY_QUEUE, {
    concurrency: 1,
    handle: ofUsers(({ data }) => resumeWriting(deps, crmReadyJob.parse(data))),
  });
  await workOn(deps.queue, CRM_CONNECTED_QUEUE, {
    concurrency: 2,
    handle: ofUsers(({ data, signal }) => matchWaiting(deps, { ...crmReadyJob.parse(data), signal })),
  });
  await workOn(deps.queue, NOTES_QUEUE, {
    concurrency: 4,
    handle: ofUsers(({ data, signal }) =>
      writeNotes({ ...deps, findRunningSync }, { ...notesPayload.parse(data), signal }),
    ),
  });
  await workOn(deps.queue, NOTES_SWEEP_QUEUE, { concurrency: 1, handle: () => sweepNotes(deps) });
  await deps.queue.schedule(NOTES_SWEEP_QUEUE.name, NOTES_SWEEP_CRON);
  await workOn(deps.queue, PAST_QUEUE, {
    concurrency: 1,
    handle: onTime(() => closePastOfAllUsers(deps.db, deps.clock.now())),
  });
  await deps.queue.schedule(PAST_QUEUE.name, PAST_CRON);
  await workOn(deps.queue, TASKS_QUEUE, {
    concurrency: 4,
    handle: ofUsers(({ data, signal }) => writeTasks(deps, { ...tasksPayload.parse(data), signal })),
  });
  await workOn(deps.queue, TASKS_SWEEP_QUEUE, { concurrency: 1, handle: () => sweepTasks(deps) });
  await deps.queue.schedule(TASKS_SWEEP_QUEUE.name, TASKS_SWEEP_CRON);
  await workOn(deps.queue, CANCEL_QUEUE, {
    concurrency: 1,
    handle: ({ data }) => cancelNow(deps, cancelPayload.parse(data)),
  });
  await workOn(deps.queue, ORPHANS_QUEUE, { concurrency: 1, handle: () => sweepOrphans(deps) });
  await workOn(deps.queue, END_SCAN_QUEUE, {
    concurrency: 1,
    handle: ofUsers(({ data }) => endScan(deps, endScanPayload.parse(data))),
  });
  const cleanUpHandler = onTime(({ signal }) => cleanUp({ ...deps, db: deps.slowDb }, signal));
  await workOn(deps.queue, CLEAN_UP_QUEUE, { concurrency: 1, handle: cleanUpHandler });
  await deps.queue.schedule(CLEAN_UP_QUEUE.name, CLEAN_UP_CRON);
  await registerWatch(deps);
}

/**
 * The jobs that watch the service and alert the operator. Web processes run them, too, only not as quickly: when no
 * worker is alive, someone must say so. They go on in a process whose clock is wrong, which begins nothing else.
 * @param everySeconds how often to poll a queue that sends no notifications
 */
export async function registerWatch(deps: Deps, everySeconds?: number): Promise<void> {
  const alone = { concurrency: 1, always: true, ...(everySeconds !== undefined && { everySeconds }) };
  await workOn(deps.queue, ALERT_QUEUE, { ...alone, handle: ({ signal }) => deliverAlerts(deps, signal) });
  await deps.queue.schedule(ALERT_QUEUE.name, ALERT_CRON);
  await workOn(deps.queue, HEARTBEAT_QUEUE, { ...alone, handle: () => runHeartbeat(deps) });
  await deps.queue.schedule(HEARTBEAT_QUEUE.name, HEARTBEAT_CRON);
  await workOn(deps.queue, DAILY_SUMMARY_QUEUE, { ...alone, handle: () => sendDailySummary(deps) });
  await deps.queue.schedule(DAILY_SUMMARY_QUEUE.name, DAILY_SUMMARY_CRON);
}
