import { setTimeout as sleep } from 'node:timers/promises';
import { fromKnex } from 'pg-boss';
import { ClientError } from '../../../clients/errors.ts';
import { isDatabaseFailure } from '../../../lib/db.ts';
import type { Failure } from '../../../lib/failures.ts';
import { once } from '../../../lib/once.ts';
import { localDay } from '../../../lib/timezones.ts';
import { notify } from '../../base/alerts/service.ts';
import { getMailMode } from '../../base/mailing/service.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { getSettings } from '../../base/settings/service.ts';
import { countCrashes, failUnfinished, releaseWork } from '../../digests/writing/service.ts';
import { getDialog } from '../../messenger/dialogs/repo.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { floodSeconds, refuseDuringFlood, rememberFlood } from '../../messenger/service.ts';
import { AccountBusy, NotConnected } from '../../messenger/withAccount.ts';
import { doubtPromisesSettledElsewhere } from '../../promises/fromDigests/service.ts';
import { findJob, releaseJob, setWaitsUntil, startJob } from '../repo.ts';
import { CRASH_LIMIT, classifyFailure, noAccountFailure, toSyncError } from '../rules.ts';
import {
  DIGEST_MAIL_QUEUE,
  type DigestMailPayload,
  type OwnJob,
  type SyncJob,
  type SyncKind,
  type SyncPayload,
} from '../schema.ts';
import { dailyJobId, JobLost, runWhileOwned, syncLater } from '../service.ts';
import { type NewsDeps, rankDayNews } from './rankDayNews.ts';
import { type CrmStageDeps, startCrmStage } from './startCrmStage.ts';
import { type AccountSync, MAX_FLOOD_WAIT_SECONDS, pauseAfterOutage, type SyncDeps, syncAccount } from './syncAccount.ts';
import { trackProgress } from './trackProgress.ts';

/** How often the database is asked whether it is back, for ten minutes or more. */
const RELEASE_EVERY_MS = 500;
const MAX_RELEASE_ATTEMPTS = 1200;
const IN_USE = { service: 'messenger', kind: 'temporary', code: 'IN_USE' satisfies Failure } as const;

/**
 * Does the work of one sync job, or resumes it after a crash. Ends `completed` if anything could be read, with the
 * errors of single conversations listed, and `failed` if nothing could run at all. Throws only our own errors (the
 * database gone, a bug): the queue then hands the job out again. A bug counts as a crash of the conversations that were
 * being worked on; a lost database does not.
 */
export async function runSync(
  deps: SyncDeps & CrmStageDeps & NewsDeps,
  payload: SyncPayload,
  signal: AbortSignal,
): Promise<void> {
  const { userId, jobId } = payload;
  const config = await getSettings(deps, { userId });
  const now = deps.clock.now();
  const started = await startJob(deps.db, payload, { today: localDay(now, config.timezone), now });
  if (!started) return;
  try {
    await runJob(deps, { ...started, config }, signal);
  } catch (err) {
    // The worker that now has the job continues it.
    if (err instanceof JobLost) return deps.log.warn({ jobId }, 'the job was taken over or stopped');
    if (isDatabaseFailure(err)) await releaseOnceBack(deps, started.own, signal);
    throw err;
  }
}

/** The job waits here for the database; no other worker can take it, as the queue is in the same database. */
async function releaseOnceBack(deps: SyncDeps, own: OwnJob, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < MAX_RELEASE_ATTEMPTS && !signal.aborted; attempt++) {
    try {
      return await deps.db.transaction(async trx => {
        // Writes that are still on their way must not mark their conversations as being worked on again.
        if (await releaseJob(trx, own)) await releaseWork(trx, own);
      });
    } catch (err) {
      deps.log.warn({ err, jobId: own.jobId }, 'the database is still gone');
      await sleep(RELEASE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

type Started = { job: SyncJob; own: OwnJob; digestDate: string; config: SyncConfig };

async function runJob(deps: SyncDeps & CrmStageDeps & NewsDeps, started: Started, signal: AbortSignal): Promise<void> {
  const { job, own, digestDate, config } = started;
  const { userId, jobId } = own;
  const putAside = await runWhileOwned(deps.db, own, trx => countCrashes(trx, own, CRASH_LIMIT));
  const progress = await trackProgress(deps, { own, job });
  for (const { dialogId, outcome } of putAside) {
    const dialog = await getDialog(deps.db, { userId, dialogId });
    await progress.recordOutcome(dialogId, outcome, toSyncError('summarize', 'CRASHED', dialog));
  }
  const accounts = await listAccounts(deps.db, userId);
  const active = accounts.filter(account => account.status === 'active');
  if (active.length === 0) progress.addError(toSyncError('connect', noAccountFailure(accounts)));

  const crm = await startCrmStage(deps, { userId, jobId, config, progress });
  let anyRead = false;
  const startedAt = job.startedAt ?? deps.clock.now();
  const syncOfDay = { userId, jobId, kind: job.kind, day: digestDate };
  const onModelStart = once(() => queueEarlyMail(deps, syncOfDay, startedAt));
  for (const account of active) {
    const languages = crm.isConnected ? {} : { crmLanguage: config.digestLanguage };
    const sync = {
      ...own,
      digestDate,
      config: { ...config, ...languages },
      account,
      onModelStart,
      progress,
      crm,
      outages: job.outages,
    };
    anyRead = (await tryAccount(deps, sync, signal)) || anyRead;
  }
  if (progress.countDigests() > 0) {
    const day = { userId, digestDate, now: deps.clock.now() };
    await runWhileOwned(deps.db, own, trx => doubtPromisesSettledElsewhere(trx, day));
    await rankDayNews(deps, own, digestDate, signal);
  }
  await crm.finish(signal);
  const state = anyRead || progress.countDone() > 0 ? 'completed' : 'failed';
  const finished = await progress.finish(state, trx => queueMail({ ...deps, db: trx }, syncOfDay));
  // Stopped meanwhile, so no alert is sent.
  if (!finished) return;
  const { dialogsProcessed, digestsCreated, errors } = finished;
  const about = { userId, jobId, dialogsProcessed, digestsCreated, errors: errors.length };
  if (state === 'failed') notify(deps, { level: 'error', source: 'sync', kind: 'SYNC_FAILED', about });
  else if (errors.length > 0) notify(deps, { level: 'warn', source: 'sync', kind: 'SYNC_PARTIAL', about });
  else notify(deps, { level: 'info', source: 'sync', kind: 'SYNC_COMPLETED', about });
}

/** False if the account could not be read completely; the rest waits for the next sync. */
async function tryAccount(deps: SyncDeps, sync: AccountSync & { outages: number }, signal: AbortSignal) {
  const { userId, jobId, account, progress } = sync;
  try {
    const floodLeft = floodSeconds(deps.clock, account);
    if (floodLeft > MAX_FLOOD_WAIT_SECONDS) refuseDuringFlood(deps.clock, account);
    if (account.floodUntil && floodLeft > 0) {
      await setWaitsUntil(deps.db, sync, { until: account.floodUntil, why: 'flood' });
      await sleep(floodLeft * 1000, undefined, { signal });
    }
    await syncAccount(deps, sync, signal);
    return true;
  } catch (thrown) {
    if (signal.aborted) await runWhileOwned(deps.db, sync, trx => releaseWork(trx, { userId, jobId }));
    // It is free again soon.
    const err = thrown instanceof AccountBusy ? new ClientError({ ...IN_USE, cause: thrown }) : thrown;
    if (signal.aborted || !(err instanceof ClientError || err instanceof NotConnected)) throw err;
    deps.log.warn({ err, jobId, accountId: account.id }, 'account not synced');
    const reason = classifyFailure('connect', err);
    const failed = { userId, jobId, reason, now: deps.clock.now() };
    await runWhileOwned(deps.db, sync, trx => failUnfinished(trx, failed));
    progress.addError(toSyncError('connect', reason));
    await scheduleRetry(deps, sync, err);
    return false;
  }
}

/**
 * Schedules another sync after temporary failures, or when the messenger asks to wait longer than a job does. It writes
 * digests for the same day, even past midnight.
 */
async function scheduleRetry(deps: SyncDeps, sync: AccountSync & { outages: number }, err: unknown): Promise<void> {
  if (!(err instanceof ClientError) || (err.kind !== 'rateLimited' && err.kind !== 'temporary')) return;
  const { userId, jobId, account, digestDate: day, outages } = sync;
  const isFlood = err.kind === 'rateLimited';
  const accountKey = { userId, accountId: account.id };
  const seconds = isFlood ? await rememberFlood(deps, accountKey, err) : pauseAfterOutage(sync, deps.outagePatienceSeconds);
  await syncLater(deps, { userId, jobId, day, outages: isFlood ? 0 : outages + 1, seconds });
  if (isFlood) notify(deps, { level: 'warn', source: 'sync', kind: 'FLOOD_WAIT', about: { ...accountKey, seconds } });
}

/** The email waits for a model this long, from the beginning of its sync. */
const MAX_MAIL_DELAY_SECONDS = 3600;

type MailDeps = Pick<SyncDeps, 'db' | 'queue' | 'clock'>;
type SyncOfDay = { userId: string; jobId: string; kind: SyncKind; day: string };

/** Queues the digest mail in the transaction that ends a day's sync. Idempotent, also after a crash. */
async function queueMail(deps: MailDeps, sync: SyncOfDay): Promise<void> {
  if (await isMailed(deps, sync)) await sendMailJob(deps, sync, { isEarly: false, startAfter: 0 });
}

/**
 * Queues a mail for when a model may still be at work on the day, which can take hours: it covers the digests written by
 * then. Idempotent.
 */
async function queueEarlyMail(deps: MailDeps, sync: SyncOfDay, startedAt: Date): Promise<void> {
  if (!(await isMailed(deps, sync))) return;
  const remaining = MAX_MAIL_DELAY_SECONDS - (deps.clock.now().getTime() - startedAt.getTime()) / 1000;
  await sendMailJob(deps, sync, { isEarly: true, startAfter: Math.max(0, Math.ceil(remaining)) });
}

/**
 * Whether the user wants mails, and the day has a daily sync: one that resumes after a long flood wait may continue that
 * one, or one that the user requested.
 */
async function isMailed({ db }: MailDeps, { userId, kind, day }: SyncOfDay): Promise<boolean> {
  const daily = kind === 'retry' ? await findJob(db, { userId, jobId: dailyJobId(userId, day) }) : undefined;
  return (kind === 'daily' || daily !== undefined) && (await getMailMode({ db }, { userId })) !== 'OFF';
}

async function sendMailJob(
  { db, queue, clock }: MailDeps,
  { userId, jobId, day }: SyncOfDay,
  { isEarly, startAfter }: { isEarly: boolean; startAfter: number },
): Promise<void> {
  const askedAt = clock.now().toISOString();
  const payload: DigestMailPayload = { userId, jobId, day, askedAt, ...(isEarly && { isEarly }) };
  const singletonKey = `${userId} ${day}${isEarly ? ' early' : ''}`;
  await queue.send(DIGEST_MAIL_QUEUE.name, payload, { singletonKey, startAfter, db: fromKnex(db) });
}
