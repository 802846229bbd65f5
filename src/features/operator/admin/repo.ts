import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import { STATUS_JOIN } from '../../digests/fragments.ts';
import { DIGEST_STATUSES, type DigestStatus } from '../../digests/schema.ts';
import { HEARTBEAT_QUEUE, type Reported, reportedRow } from './schema.ts';

const count = z.coerce.number();

async function firstRow<S extends z.ZodType>(db: Db, schema: S, statement: Sql): Promise<z.output<S>> {
  return schema.parse((await statement.rows(db))[0]);
}

const userCounts = z.object({ total: count, fresh: count, tokens: count, assistants: count, feeds: count });

/** Users, those since `since`, and what they let in that works at `now`: tokens, of these assistants', and calendar feeds. */
export async function countOfAllUsers(
  db: Db,
  { since, now }: { since: Date; now: Date },
): Promise<z.output<typeof userCounts>> {
  const rows = await sql`
    select count(*) as total, count(*) filter (where created_at >= ${since}) as fresh, tokens.*,
      (select count(*) from calendar_feeds) as feeds
    from users cross join (
      select count(*) as tokens, count(*) filter (where 'assistant' = any(scopes)) as assistants
      from api_tokens where expires_at is null or expires_at > ${now}
    ) as tokens group by tokens.tokens, tokens.assistants
  `.rows(db);
  return rows[0] ? userCounts.parse(rows[0]) : { total: 0, fresh: 0, tokens: 0, assistants: 0, feeds: 0 };
}

type DigestCounts = Record<DigestStatus, number>;
const digestCounts = z.array(z.object({ status: z.enum(DIGEST_STATUSES), times: count, recent: count }));

/** Digests started since `since`, and of these since `recentSince`, by status. Zero where there are none. */
export async function countDigestsOfAllUsers(
  db: Db,
  { since, recentSince }: { since: Date; recentSince: Date },
): Promise<{ all: DigestCounts; recent: DigestCounts }> {
  const rows = await sql`
    select derived.status, count(*) as times, count(*) filter (where digests.created_at >= ${recentSince}) as recent
    from digests ${STATUS_JOIN} where digests.created_at >= ${since} group by derived.status
  `.rows(db);
  const counts = new Map(digestCounts.parse(rows).map(row => [row.status, row]));
  const countOf = (column: 'times' | 'recent') =>
    Object.fromEntries(DIGEST_STATUSES.map(status => [status, counts.get(status)?.[column] ?? 0])) as DigestCounts;
  return { all: countOf('times'), recent: countOf('recent') };
}

const syncCounts = z.object({ syncs: count, failed: count, incompleteSyncs: count, users: count, failingUsers: count });

/**
 * Syncs that ended since then. `incompleteSyncs` also counts those that succeeded only in part. `failingUsers` of these `users`:
 * those whose newest one is incomplete. A sync of a user who has connected nothing is none.
 */
export async function countSyncsOfAllUsers(db: Db, since: Date): Promise<z.output<typeof syncCounts>> {
  const statement = sql`
    select count(*) as syncs, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where is_incomplete) as "incompleteSyncs", count(*) filter (where is_newest) as users,
      count(*) filter (where is_newest and is_incomplete) as "failingUsers"
    from (
      select state, state = 'failed' or errors <> '[]' as is_incomplete,
        row_number() over (partition by user_id order by finished_at desc, id) = 1 as is_newest
      from sync_jobs
      where finished_at >= ${since} and not (state = 'failed' and errors @> '[{"code": "MESSENGER_NOT_CONNECTED"}]')
    ) as ended`;
  return firstRow(db, syncCounts, statement);
}

const overdueCounts = z.object({ overdue: count, unqueued: count });
type Overdue = { now: Date; before: Date; dueBefore: Date };

/**
 * `overdue`: syncs waiting since before `before`, or active without a new digest since then, except flood waits. `unqueued`:
 * users due before `dueBefore` and not queued although a worker was alive; others are queued within the next minute.
 */
export async function countOverdueOfAllUsers(
  db: Db,
  { now, before, dueBefore }: Overdue,
): Promise<z.output<typeof overdueCounts>> {
  const statement = sql`
    select (
      select count(*) from sync_jobs
      where state in ('waiting', 'active') and coalesce(waits_until < ${now}, true) and greatest(created_at, started_at) < ${before}
        and not exists (select 1 from digests where digests.job_id = sync_jobs.id and digests.updated_at >= ${before})
    ) as overdue, (
      select count(*) from sync_configs
      where next_sync_at < ${dueBefore}
        and exists (select 1 from worker_heartbeats where started_at < ${dueBefore} and beat_at >= ${dueBefore})
    ) as unqueued`;
  return firstRow(db, overdueCounts, statement);
}

export async function countNotesOfAllUsers(db: Db, since: Date): Promise<number> {
  const statement = sql`select count(*) as notes from outbox_notes where written_at >= ${since}`;
  return (await firstRow(db, z.object({ notes: count }), statement)).notes;
}

/** Accounts reported as signed out in the alerts since then. */
export async function countLostSessionsOfAllUsers(db: Db, since: Date): Promise<number> {
  const statement = sql`
    select coalesce(sum(count), 0) as lost from alerts
    where source = 'messenger' and kind in ('SESSION_EXPIRED', 'ACCOUNT_BANNED') and last_at >= ${since}`;
  return (await firstRow(db, z.object({ lost: count }), statement)).lost;
}

const queueRow = z.object({ waiting: count, active: count, oldest: count, lastHeartbeatAt: z.date().nullable() });

/** Jobs that could run now, by the database's clock. `lastHeartbeatAt`: when the last heartbeat round finished. */
export async function measureQueue(db: Db) {
  const isDue = sql`state in ('created', 'retry') and start_after <= now()`;
  const statement = sql`
    select count(*) filter (where ${isDue}) as waiting, count(*) filter (where state = 'active') as active,
      coalesce(extract(epoch from now() - min(start_after) filter (where ${isDue})), 0) as oldest,
      (select max(completed_on) from pgboss.job where name = ${HEARTBEAT_QUEUE.name} and state = 'completed') as "lastHeartbeatAt"
    from pgboss.job where state in ('created', 'retry', 'active') and left(name, 2) <> '__'`;
  const { oldest, ...counts } = await firstRow(db, queueRow, statement);
  return { ...counts, oldestWaitingSeconds: Math.round(oldest) };
}

export async function ping(db: Db): Promise<void> {
  await db.raw('select 1');
}

export async function recordHeartbeat(db: Db, worker: { id: string; startedAt: Date; now: Date }): Promise<void> {
  await db('worker_heartbeats')
    .insert({ id: worker.id, started_at: worker.startedAt, beat_at: worker.now })
    .onConflict('id')
    .merge(['beat_at']);
}

export async function deleteWorker(db: Db, id: string): Promise<void> {
  await db('worker_heartbeats').where({ id }).delete();
}

/** Alive: heard from since `heardOfSince`. Silent: not since then, but not given up on yet. */
export async function countWorkers(
  db: Db,
  { heardOfSince, givenUpBefore }: { heardOfSince: Date; givenUpBefore: Date },
): Promise<{ alive: number; silent: number }> {
  const statement = sql`
    select count(*) filter (where beat_at >= ${heardOfSince}) as alive,
      count(*) filter (where beat_at < ${heardOfSince} and beat_at >= ${givenUpBefore}) as silent
    from worker_heartbeats`;
  return firstRow(db, z.object({ alive: count, silent: count }), statement);
}

export async function deleteSilentWorkers(db: Db, before: Date): Promise<void> {
  await db('worker_heartbeats').where('beat_at', '<', before).delete();
}

export async function listReportedProblems(db: Db): Promise<Reported[]> {
  return (await db('ongoing_incidents').orderBy('since')).map(row => reportedRow.parse(row));
}

/** False when another process added it first: that one tells the operator. */
export async function addReported(db: Db, { kind, now }: { kind: string; now: Date }): Promise<boolean> {
  const row = { kind, since: now, notified_at: now };
  return (await db('ongoing_incidents').insert(row).onConflict().ignore().returning('kind')).length === 1;
}

/** False when another process sent the reminder first. */
export async function updateReported(db: Db, { kind, notifiedAt }: Reported, now: Date): Promise<boolean> {
  return (await db('ongoing_incidents').where({ kind, notified_at: notifiedAt }).update({ notified_at: now })) === 1;
}

/** Deletes a problem that is over. False if another process did so first, which then reports it. */
export async function deleteReported(db: Db, { kind }: Reported): Promise<boolean> {
  return (await db('ongoing_incidents').where({ kind }).delete()) === 1;
}
