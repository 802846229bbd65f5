import type { ZodType } from 'zod';
import type { Deps } from './deps.ts';
import { ALERT_QUEUE } from './features/base/alerts/schema.ts';
import { deliverAlerts } from './features/base/alerts/service.ts';
import { SIGN_IN_MAIL_QUEUE, signInMailPayload } from './features/base/users/schema.ts';
import { sendSignInMail } from './features/base/users/service.ts';
import { CANCEL_QUEUE, cancelPayload } from './features/billing/schema.ts';
import { cancelNow } from './features/billing/service.ts';
import { matchAfterConnecting } from './features/contacts/createContact.ts';
import { NOTES_WANTED_QUEUE, notesWantedPayload } from './features/contacts/schema.ts';
import { CRM_CONNECTED_QUEUE, CRM_READY_QUEUE } from './features/crm/schema.ts';
import { ORPHANS_QUEUE } from './features/data/account/schema.ts';
import { skipDeletedUsers, sweepOrphans } from './features/data/account/service.ts';
import { cleanUp } from './features/data/cleanUp/cleanUp.ts';
import { CLEAN_UP_QUEUE, cleanUpPayload } from './features/data/cleanUp/schema.ts';
import { sendDigestMail } from './features/mail/daily/sendDigestMail.ts';
import * as weekly from './features/mail/weekly/schema.ts';
import { queueWeekMails, sendWeekMail } from './features/mail/weekly/service.ts';
import { endScan } from './features/messenger/login/checkScan.ts';
import { END_SCAN_QUEUE, endScanPayload } from './features/messenger/login/schema.ts';
import { runHeartbeat, sendDailySummary } from './features/operator/admin/runHeartbeat.ts';
import * as admin from './features/operator/admin/schema.ts';
import { NOTES_QUEUE } from './features/outbox/notes/schema.ts';
import { followDecision, writeNotes } from './features/outbox/notes/service.ts';
import { OUTBOX_SWEEP_QUEUE } from './features/outbox/schema.ts';
import { resumeWriting, sweepOutbox, writeTasks } from './features/outbox/tasks/service.ts';
import { closePastOfAllUsers } from './features/promises/repo.ts';
import { PAST_QUEUE, TASKS_QUEUE } from './features/promises/schema.ts';
import { findOpenJob } from './features/sync/repo.ts';
import { runSync } from './features/sync/run/runSync.ts';
import * as sync from './features/sync/schema.ts';
import { queueDailySyncs, triggerSync } from './features/sync/service.ts';
import { REGENERATE_QUEUE, regeneratePayload } from './features/sync/styleRewrites/schema.ts';
import { runRewrite } from './features/sync/styleRewrites/service.ts';
import { createQueues, type JobHandler, type Queue, type QueueDefinition, userJobData, workOn } from './lib/queue.ts';

type Job = {
  queue: QueueDefinition;
  /** Concurrent jobs per worker; default: one. */
  concurrency?: number | ((config: Deps['config']) => number);
  handle: (deps: Deps, job: Parameters<JobHandler>[0]) => Promise<void>;
};

type Handle<Payload> = (deps: Deps, payload: Payload, signal: AbortSignal) => Promise<unknown>;

/** Defines a job whose payload is parsed by its schema before `handle` gets it. */
function defineJob<T>(
  queue: QueueDefinition,
  payload: ZodType<T>,
  handle: Handle<T>,
  concurrency: Job['concurrency'] = 1,
): Job {
  return {
    queue,
    concurrency,
    handle: async (deps, { data, signal }) => void (await handle(deps, payload.parse(data ?? {}), signal)),
  };
}

/** The job map: what works on each queue, and when. A job can only be sent to a queue that exists. */
const JOBS: readonly Job[] = [
  defineJob(SIGN_IN_MAIL_QUEUE, signInMailPayload, sendSignInMail, 2),
  defineJob(sync.SYNC_QUEUE, sync.syncPayload, runSync, config => config.syncConcurrency),
  defineJob(sync.SYNC_LATER_QUEUE, sync.syncLaterPayload, (deps, wish) => triggerSync(deps, { ...wish, kind: 'retry' })),
  { queue: sync.DAILY_SYNC_QUEUE, handle: deps => queueDailySyncs(deps) },
  defineJob(REGENERATE_QUEUE, regeneratePayload, runRewrite, 2),
  defineJob(sync.DIGEST_MAIL_QUEUE, sync.digestMailPayload, sendDigestMail, 4),
  { queue: weekly.WEEK_MAILS_QUEUE, handle: deps => queueWeekMails(deps) },
  defineJob(weekly.WEEK_MAIL_QUEUE, weekly.weekMailPayload, sendWeekMail, 2),
  defineJob(NOTES_WANTED_QUEUE, notesWantedPayload, followDecision, 2),
  defineJob(CRM_READY_QUEUE, userJobData, resumeWriting),
  defineJob(CRM_CONNECTED_QUEUE, userJobData, (deps, owner, signal) => matchAfterConnecting(deps, { ...owner, signal }), 2),
  defineJob(
    NOTES_QUEUE,
    userJobData,
    (deps, owner, signal) => writeNotes({ ...deps, findOpenJob }, { ...owner, signal }),
    4,
  ),
  { queue: OUTBOX_SWEEP_QUEUE, handle: deps => sweepOutbox(deps) },
  { queue: PAST_QUEUE, handle: deps => closePastOfAllUsers(deps.db, deps.clock.now()) },
  defineJob(TASKS_QUEUE, userJobData, (deps, owner, signal) => writeTasks(deps, { ...owner, signal }), 4),
  defineJob(CANCEL_QUEUE, cancelPayload, cancelNow),
  { queue: ORPHANS_QUEUE, handle: deps => sweepOrphans(deps) },
  defineJob(END_SCAN_QUEUE, endScanPayload, endScan),
  defineJob(CLEAN_UP_QUEUE, cleanUpPayload, (deps, { confirmed }, signal) =>
    cleanUp({ ...deps, db: deps.slowDb }, signal, { confirmed }),
  ),
];

/**
 * The jobs that watch the service and alert the operator. Web processes run them, too, only not as quickly: when no
 * worker is alive, someone must say so. They go on in a process whose clock is wrong, which begins nothing else.
 */
const WATCHES: readonly Job[] = [
  { queue: ALERT_QUEUE, handle: (deps, { signal }) => deliverAlerts(deps, signal) },
  { queue: admin.HEARTBEAT_QUEUE, handle: deps => runHeartbeat(deps) },
  { queue: admin.DAILY_SUMMARY_QUEUE, handle: deps => sendDailySummary(deps) },
];

/** Creates all queues. Web and worker both call this, as either may be the first to send a job. */
export async function prepareQueues(queue: Queue): Promise<void> {
  const definitions = [...JOBS, ...WATCHES].map(job => job.queue);
  await createQueues(queue, definitions);
}

export async function registerJobs(deps: Deps): Promise<void> {
  for (const { queue, concurrency = 1, handle } of JOBS) {
    const scheduled: JobHandler = async job => {
      // Scheduled jobs read the time from the database first.
      await deps.clock.refresh();
      return handle(deps, job);
    };
    await workOn(deps.queue, queue, {
      concurrency: typeof concurrency === 'number' ? concurrency : concurrency(deps.config),
      handle: queue.cron ? scheduled : skipDeletedUsers(deps, job => handle(deps, job)),
    });
    if (queue.cron) await deps.queue.schedule(queue.name, queue.cron);
  }
  await registerWatches(deps);
}

/** Starts the jobs that watch the service. @param everySeconds how often a queue without notifications is polled */
export async function registerWatches(deps: Deps, everySeconds?: number): Promise<void> {
  const alone = { concurrency: 1, always: true, ...(everySeconds !== undefined && { everySeconds }) };
  for (const { queue, handle } of WATCHES) {
    await workOn(deps.queue, queue, { ...alone, handle: job => handle(deps, job) });
    if (queue.cron) await deps.queue.schedule(queue.name, queue.cron);
  }
}
