import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromKnex } from 'pg-boss';
import { secondsAfter, type Timed } from '../../lib/clock.ts';
import { type Db, lockNamed, type UserKey } from '../../lib/db.ts';
import type { Queued } from '../../lib/queue.ts';
import { addDays, localDay } from '../../lib/timezones.ts';
import type { SyncConfig } from '../base/settings/schema.ts';
import { claimDueUsers, type DueUser, type RunResult } from '../base/settings/service.ts';
import { listAccounts, listUsersWithActiveAccount } from '../messenger/repo.ts';
import { filterActive } from '../messenger/rules.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import * as repo from './repo.ts';
import * as rules from './rules.ts';
import * as schema from './schema.ts';

export { findJob, findLatest, findLatestJob, findOpenJob } from './repo.ts';

/** A sync that resumes another one takes over its day. */
type SyncRequest = { userId: string } & Partial<schema.Continuation>;

/** A job that has just ended leaves the queue a moment later than it ends in our table. */
const RETRY_MS = 100;
const MAX_ATTEMPTS = 50;
/** Pause of a retry while a sync of its user still runs. */
const ASK_AGAIN_SECONDS = 60;
/** Priority of a manual sync, for which someone is waiting: it comes before all daily syncs, which have 0. */
const MANUAL_PRIORITY = 1;

/**
 * Queues a sync now, a manual one ahead of all others that wait. If one of the user's syncs already waits or runs,
 * returns its id, so that a double click, two tabs or two processes start only one sync. Without an account to read, the
 * job has failed already, and the queue has none.
 */
export async function triggerSync(
  deps: Queued,
  { kind = 'manual', ...request }: SyncRequest & { kind?: rules.CountedKind },
) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return { jobId: await deps.db.transaction(trx => openOrEnqueue(deps, trx, { ...request, kind })) };
    } catch (err) {
      if (!(err instanceof QueueStillHolds)) throw err;
      await sleep(RETRY_MS);
    }
  }
  throw new QueueStillHolds();
}

/** The queue has not let go of the user's last sync yet. */
class QueueStillHolds extends Error {}

/** Counter, job and queue entry are created together or not at all. */
async function openOrEnqueue(deps: Queued, trx: Db, request: SyncRequest & { kind: rules.CountedKind }): Promise<string> {
  const { kind, ...wish } = request;
  const { userId } = wish;
  await lockNamed(trx, 'sync', userId);
  const open = await repo.findOpenJob(trx, userId);
  if (open && kind === 'manual') return joinOpenSync(deps, trx, userId, open);
  if (open) {
    // It reads all accounts, unless it asked for a retry itself and still reads another account.
    const again = { singletonKey: userId, startAfter: ASK_AGAIN_SECONDS, db: fromKnex(trx) };
    if (open.retryAt) await deps.queue.send(schema.SYNC_LATER_QUEUE.name, wish, again);
    return open.id;
  }
  const accounts = await listAccounts(trx, userId);
  if (filterActive(accounts).length === 0) {
    return recordFailedSync(deps, trx, { userId, kind }, rules.toSyncError('connect', rules.noAccountFailure(accounts)));
  }
  const jobId = rules.numberedJobId(userId, kind, await repo.takeNextNumber(trx, userId, kind));
  const payload: schema.SyncPayload = { userId, jobId };
  const priority = kind === 'manual' ? MANUAL_PRIORITY : 0;
  const queueId = await deps.queue.send(schema.SYNC_QUEUE.name, payload, {
    singletonKey: userId,
    priority,
    db: fromKnex(trx),
  });
  if (!queueId) throw new QueueStillHolds();
  await repo.insertJob(trx, { ...request, id: jobId, queueId, now: deps.clock.now() });
  return jobId;
}

/** Stores a sync that fails without being queued. Returns its id, the same for a repeated request with the same error. */
async function recordFailedSync(
  { clock }: Queued,
  trx: Db,
  { userId, kind }: { userId: string; kind: rules.CountedKind },
  error: schema.SyncError,
): Promise<string> {
  const newest = await repo.findLatestJob(trx, userId);
  const isSame = newest?.state === 'failed' && newest.kind === kind && newest.result.errors[0]?.message === error.message;
  const id = isSame ? newest.id : rules.numberedJobId(userId, kind, await repo.takeNextNumber(trx, userId, kind));
  await repo.saveFailedJob(trx, { id, userId, kind, queueId: randomUUID(), error, now: clock.now() });
  return id;
}

/**
 * A request made while a scheduled sync waits or runs gets an id of its own that shows that sync; if the sync
 * still waits for its turn among many, it starts now.
 */
async function joinOpenSync({ queue }: Queued, trx: Db, userId: string, open: schema.SyncJob): Promise<string> {
  if (open.kind === 'manual') return open.id;
  const atOnce = { id: open.queueId, startAfter: 0, priority: MANUAL_PRIORITY, db: fromKnex(trx) };
  if (open.state === 'waiting') await queue.update({ name: schema.SYNC_QUEUE.name, options: atOnce });
  if (open.requestedAs) return open.requestedAs;
  const id = rules.numberedJobId(userId, 'manual', await repo.takeNextNumber(trx, userId, 'manual'));
  await repo.setRequestedAs(trx, { userId, jobId: open.id }, id);
  return id;
}

/** Schedules a sync that continues this one: of several that are asked for, the earliest, for all of them. */
export async function syncLater(
  deps: Queued,
  { jobId, seconds, ...payload }: schema.SyncLaterPayload & { jobId: string; seconds: number },
): Promise<void> {
  const { userId } = payload;
  const startAfter = Math.ceil(seconds);
  const { name } = schema.SYNC_LATER_QUEUE;
  const isQueued = await deps.queue.send(name, payload, { singletonKey: userId, startAfter });
  const [kept] = isQueued ? [] : await deps.queue.findJobs(name, { key: userId, queued: true });
  const at = secondsAfter(deps.clock, startAfter);
  const isLate = kept !== undefined && kept.startAfter > at;
  if (isLate) await deps.queue.update({ name, options: { id: kept.id, startAfter } });
  await repo.setRetryAt(deps.db, { userId, jobId }, kept && !isLate ? kept.startAfter : at);
}

/** The job was stopped, or given to another worker because this one was presumed dead: nothing more may be written. */
export class JobLost extends Error {}

/**
 * Runs `write` in a transaction during which the job stays this worker's: a worker that takes it over waits until the
 * end. Throws {@link JobLost} if the job was already taken.
 */
export async function runWhileOwned<T>(db: Db, job: schema.OwnJob, write: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction(async trx => {
    if (!(await repo.lockOwnJob(trx, job))) throw new JobLost();
    return write(trx);
  });
}

/**
 * Ends the user's sync, waiting or running. A worker in the middle of it notices within a few seconds, or sooner if
 * the account it reads from is disconnected. No alert is sent.
 */
export async function stopSyncs(deps: Queued, { userId }: UserKey) {
  await deps.db.transaction(async trx => {
    await lockNamed(trx, 'sync', userId);
    const queueIds = await repo.endOpenJobs(trx, userId, deps.clock.now());
    if (queueIds.length > 0) await deps.queue.cancel(schema.SYNC_QUEUE.name, queueIds, { db: fromKnex(trx) });
  });
}

/** Maximum number of users in one transaction, which holds their locks. */
const USERS_PER_BATCH = 200;

/** When the user's next daily sync begins; undefined while nothing is connected that could be read. */
export function findNextSync(accounts: MessengerAccount[], nextRunAt: Date | null): Date | undefined {
  return filterActive(accounts).length > 0 && nextRunAt ? nextRunAt : undefined;
}

/**
 * Queues the daily sync of every user whose time has come, each only once, however many processes do this at the same
 * time. Their starts are spread over `spreadSeconds`, so that the users of one minute are not all read at once.
 */
export async function queueDailySyncs(deps: Queued, { spreadSeconds = rules.SPREAD_SECONDS } = {}): Promise<void> {
  const begin = (trx: Db, due: DueUser[]) => queueBatch(deps, trx, due, spreadSeconds);
  while ((await claimDueUsers(deps, { limit: USERS_PER_BATCH, begin })) === USERS_PER_BATCH);
}

async function queueBatch(deps: Queued, trx: Db, due: DueUser[], spreadSeconds: number): Promise<Map<string, RunResult>> {
  const idsOf = (users: { userId: string }[]) => users.map(({ userId }) => userId);
  const connected = await listUsersWithActiveAccount(trx, idsOf(due));
  const users = due.filter(({ userId }) => connected.has(userId));
  await repo.lockSyncsOfUsers(trx, idsOf(users));
  const jobs = users.map(({ userId, day, today }) => ({
    id: dailyJobId(userId, day),
    userId,
    queueId: randomUUID(),
    digestDate: today,
  }));
  const open = await repo.findOpenSyncs(trx, jobs);
  const free = jobs.filter(({ userId }) => !open.userIds.has(userId));
  const queued = await queueDailyJobs(deps, trx, free, spreadSeconds);
  await repo.insertDailyJobs(trx, queued, deps.clock.now());
  const begun = new Set([...open.ids, ...queued.map(({ id }) => id)]);
  return new Map<string, RunResult>(jobs.map(({ id, userId }) => [userId, begun.has(id) ? 'begun' : 'postponed']));
}

/** Returns the jobs that the queue accepted. It accepts none for a user whose last sync it still holds. */
async function queueDailyJobs(
  { queue }: Queued,
  trx: Db,
  jobs: repo.DailyJob[],
  spreadSeconds: number,
): Promise<repo.DailyJob[]> {
  if (jobs.length === 0) return [];
  const entries = jobs.map(({ id: jobId, userId, queueId }) => ({
    id: queueId,
    data: { userId, jobId } satisfies schema.SyncPayload,
    singletonKey: userId,
    startAfter: rules.startDelaySeconds(userId, spreadSeconds),
  }));
  const queuedIds = new Set(await queue.insert(schema.SYNC_QUEUE.name, entries, { db: fromKnex(trx), returnId: true }));
  return jobs.filter(({ queueId }) => queuedIds.has(queueId));
}

/** The id of the one daily sync of a user's calendar day, YYYY-MM-DD. */
export const dailyJobId = (userId: string, day: string): string => `sync:${userId}:daily:${day}`;

/** Number of past days from which the usual load is computed. */
const NORMAL_DAYS = 14;

/** The counts of each of the last 14 days and of today, as far as they had a sync. */
export async function listRecentLoads(
  { db, clock }: Timed,
  { userId, config: { minMessages, timezone } }: { userId: string; config: SyncConfig },
): Promise<repo.DayLoad[]> {
  const since = addDays(localDay(clock.now(), timezone), -NORMAL_DAYS);
  return repo.listLoads(db, { userId, since, minMessages, comparedMinimum: rules.comparisonMinimum(minMessages) });
}
