import { randomUUID } from 'node:crypto';
import { fromKnex } from 'pg-boss';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Queue } from '../../lib/queue.ts';
import { type DueUser, nextDailyRun, type Outcome, takeDue } from '../base/settings/service.ts';
import { listAccounts, listUsersWithActiveAccount } from '../messenger/repo.ts';
import { activeOf } from '../messenger/rules.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import * as repo from './repo.ts';
import { SPREAD_SECONDS, spreadOf } from './rules.ts';
import { SYNC_QUEUE, type SyncPayload } from './schema.ts';

type Deps = { db: Db; queue: Queue; clock: Clock };

/** Users in one transaction: their locks are held until its end. */
const BATCH = 200;

/** When the user's next daily sync begins; undefined while nothing is connected that could be read. */
export async function nextSyncAt(deps: { db: Db }, { userId }: { userId: string }): Promise<Date | undefined> {
  const [accounts, nextRunAt] = await Promise.all([listAccounts(deps.db, userId), nextDailyRun(deps, { userId })]);
  return nextSyncOf(accounts, nextRunAt);
}

/** The same, from data that was already read. */
export function nextSyncOf(accounts: MessengerAccount[], nextRunAt: Date | null): Date | undefined {
  return activeOf(accounts).length > 0 && nextRunAt ? nextRunAt : undefined;
}

/**
 * Queues the daily sync of every user whose time has come, each only once, however many processes do this at the same
 * time. Their starts are spread over `spreadSeconds`, so that the users of one minute are not all read at once.
 */
export async function queueDailySyncs(deps: Deps, { spreadSeconds = SPREAD_SECONDS } = {}): Promise<void> {
  const begin = (trx: Db, due: DueUser[]) => queueBatch(deps, trx, due, spreadSeconds);
  while ((await takeDue(deps, { limit: BATCH, begin })) === BATCH);
}

type NewJob = { id: string; userId: string; queueId: string };

async function queueBatch(deps: Deps, trx: Db, due: DueUser[], spreadSeconds: number): Promise<Map<string, Outcome>> {
  const connected = await listUsersWithActiveAccount(
    trx,
    due.map(({ userId }) => userId),
  );
  const outcomes = new Map<string, Outcome>();
  const wanted = due.filter(({ userId }) => connected.has(userId));
  await repo.lockSyncsOfUsers(
    trx,
    wanted.map(({ userId }) => userId),
  );
  const jobs = wanted.map(({ userId, day }) => ({ id: dailyJobId(userId, day), userId, queueId: randomUUID() }));
  const open = await repo.findOpen(trx, jobs);
  for (const { id, userId } of jobs) {
    if (open.ids.has(id)) outcomes.set(userId, 'begun');
    else if (open.userIds.has(userId)) outcomes.set(userId, 'postponed');
  }
  const free = jobs.filter(({ userId }) => !outcomes.has(userId));
  const queued = await enqueue(deps, trx, free, spreadSeconds);
  await repo.insertDailyJobs(trx, queued, deps.clock.now());
  for (const { userId } of free) outcomes.set(userId, 'postponed');
  for (const { userId } of queued) outcomes.set(userId, 'begun');
  return outcomes;
}

/** Returns the jobs that the queue accepted. It accepts none for a user whose last sync it still holds. */
async function enqueue({ queue }: Deps, trx: Db, jobs: NewJob[], spreadSeconds: number): Promise<NewJob[]> {
  if (jobs.length === 0) return [];
  const entries = jobs.map(({ id: jobId, userId, queueId }) => ({
    id: queueId,
    data: { userId, jobId } satisfies SyncPayload,
    singletonKey: userId,
    startAfter: spreadOf(userId, spreadSeconds),
  }));
  const taken = new Set(await queue.insert(SYNC_QUEUE.name, entries, { db: fromKnex(trx), returnId: true }));
  return jobs.filter(({ queueId }) => taken.has(queueId));
}

/** @param day the user's calendar day, YYYY-MM-DD */
export function dailyJobId(userId: string, day: string): string {
  return `sync:${userId}:daily:${day}`;
}
