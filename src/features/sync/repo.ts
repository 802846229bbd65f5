import { z } from 'zod';
import { type Db, rowReader, toColumns } from '../../lib/db.ts';
import { rawSql, sql } from '../../lib/sql.ts';
import type { CountedKind } from './rules.ts';
import {
  type Continuation,
  type OwnJob,
  type SyncError,
  type SyncJob,
  type SyncKind,
  type SyncResult,
  type SyncState,
  syncJob,
  syncJobRow,
} from './schema.ts';

const OPEN = ['waiting', 'active'];

/** Each by its name: a statement that a connection has prepared fails when a new column changes the result of `*`. */
const JOB_COLUMNS = rawSql(Object.keys(syncJobRow.columns(syncJob.in.shape)).join(', '));

/** Selects the row of a job if this attempt is its latest. */
function selectJob(db: Db, { userId, jobId, attempt }: OwnJob) {
  return db('sync_jobs').where({ user_id: userId, id: jobId, attempt });
}

/** Like {@link lockNamed} for many users: serializes decisions about each one's next sync. */
export async function lockSyncsOfUsers(trx: Db, userIds: string[]): Promise<void> {
  await trx.raw(
    `select pg_advisory_xact_lock(hashtextextended('sync ' || user_id, 1))
     from (select unnest(?::text[]) as user_id order by 1) users`,
    [userIds],
  );
}

/** The ids of all waiting and running syncs of these jobs' users, and the ids of those users. */
export async function findOpenSyncs(trx: Db, jobs: { id: string; userId: string }[]) {
  const userIds = jobs.map(({ userId }) => userId);
  const open = await trx('sync_jobs')
    .whereIn('user_id', userIds)
    .whereIn('state', OPEN)
    .select<{ id: string; user_id: string }[]>('id', 'user_id');
  return { ids: new Set(open.map(row => row.id)), userIds: new Set(open.map(row => row.user_id)) };
}

export type DailyJob = { id: string; userId: string; queueId: string; digestDate: string };

export async function insertDailyJobs(trx: Db, jobs: DailyJob[], now: Date) {
  if (jobs.length === 0) return;
  const rows = jobs.map(job => toColumns({ ...job, kind: 'daily', state: 'waiting', createdAt: now }));
  await trx('sync_jobs').insert(rows).onConflict('id').ignore();
}

export async function takeNextNumber(trx: Db, userId: string, kind: CountedKind): Promise<number> {
  const [row] = await trx('sync_counters')
    .insert({ user_id: userId, kind, number: 1 })
    .onConflict(['user_id', 'kind'])
    .merge({ number: trx.raw('sync_counters.number + 1') })
    .returning<{ number: number }[]>('number');
  return row?.number ?? 1;
}

type NewJob = { id: string; userId: string; queueId: string; kind: SyncKind; now: Date };

export async function insertJob(trx: Db, job: NewJob & Partial<Continuation>): Promise<void> {
  const { day, now, outages = 0, ...named } = job;
  // The day of the sync that this one resumes, or that of a newer one, whose digests replace older ones.
  const newest = trx('sync_jobs').where({ user_id: job.userId }).max('digest_date');
  const digestDate = day ? trx.raw('greatest(?::date, (?))', [day, newest]) : null;
  await trx('sync_jobs').insert(toColumns({ ...named, outages, digestDate, state: 'waiting', createdAt: now }));
}

/** Stores a job that was never queued. */
export async function saveFailedJob(trx: Db, { now, error, ...job }: NewJob & { error: SyncError }): Promise<void> {
  const row = { ...job, state: 'failed', errors: JSON.stringify([error]), createdAt: now, finishedAt: now };
  await trx('sync_jobs').insert(toColumns(row)).onConflict('id').merge();
}

/** Undefined for an unknown job and for someone else's. */
export async function findJob(db: Db, { userId, jobId }: OwnedJob): Promise<SyncJob | undefined> {
  const row = await db('sync_jobs')
    .where({ user_id: userId })
    .where(either => either.where({ id: jobId }).orWhere({ requested_as: jobId }))
    .first();
  return row && syncJobRow.parse(row);
}

/** Makes the job available under this id as well. */
export async function setRequestedAs(trx: Db, { userId, jobId }: OwnedJob, id: string): Promise<void> {
  await trx('sync_jobs').where({ user_id: userId, id: jobId }).update({ requested_as: id });
}

export async function findOpenJob(db: Db, userId: string): Promise<SyncJob | undefined> {
  const row = await db('sync_jobs').where({ user_id: userId }).whereIn('state', OPEN).first();
  return row && syncJobRow.parse(row);
}

export async function findLatestJob(db: Db, userId: string): Promise<SyncJob | undefined> {
  const row = await db('sync_jobs').where({ user_id: userId }).orderBy('created_at', 'desc').first();
  return row && syncJobRow.parse(row);
}

/**
 * The latest job, with when the newest completed sync began (everything before that is read), and when the newest
 * completed one of an earlier day did. Null before the first.
 */
export async function findLatest(
  db: Db,
  userId: string,
): Promise<{ job: SyncJob | undefined; readUntil: Date | null; readBefore: Date | null }> {
  const completed = sql`from sync_jobs where user_id = ${userId} and state = 'completed'`;
  const [row] = await sql`
    select ${JOB_COLUMNS}, (select started_at ${completed} order by created_at desc limit 1) as read_until,
      (select started_at ${completed} and digest_date < (select max(digest_date) ${completed})
        order by created_at desc limit 1) as read_before
    from sync_jobs where user_id = ${userId} order by created_at desc limit 1
  `.rows<{ read_until: Date | null; read_before: Date | null }>(db, 'latest sync');
  return { job: row && syncJobRow.parse(row), readUntil: row?.read_until ?? null, readBefore: row?.read_before ?? null };
}

type OwnedJob = { userId: string; jobId: string };

/** Marks the job as started. The digests' day survives a crash. Undefined if it is already over, or never existed. */
export async function startJob(
  db: Db,
  { userId, jobId }: OwnedJob,
  { today, now }: { today: string; now: Date },
): Promise<{ job: SyncJob; own: OwnJob; digestDate: string } | undefined> {
  // A daily sync that no worker took up for an hour writes digests of the day on which it begins, not of its planned one.
  const isStale = sql`kind = 'daily' and attempt = 0 and created_at < ${now}::timestamptz - interval '1 hour'`;
  // Who traveled west across a midnight may have digests of tomorrow, which the sync continues. Later ones are a wrong clock's.
  const newest = sql`select max(digest_date) from digests where user_id = ${userId} and digest_date <= ${today}::date + 1`;
  const planned = sql`case when ${isStale} then ${today}::date else coalesce(digest_date, ${today}::date) end`;
  const [row] = await db('sync_jobs')
    .where({ user_id: userId, id: jobId })
    .whereIn('state', OPEN)
    .update({
      state: 'active',
      waits_until: null,
      attempt: db.raw('attempt + 1'),
      started_at: db.raw('coalesce(started_at, ?)', [now]),
      digest_date: sql`greatest(${planned}, (${newest}))`.toRaw(db),
    })
    .returning(['*', db.raw(`to_char(digest_date, 'YYYY-MM-DD') as digest_day`)]);
  if (!row) return undefined;
  const own = { userId, jobId, attempt: Number(row.attempt) };
  return { job: syncJobRow.parse(row), own, digestDate: String(row.digest_day) };
}

/** Keeps other workers from taking the job over until the transaction ends. False if one has, or the job is over. */
export async function lockOwnJob(trx: Db, own: OwnJob): Promise<boolean> {
  const row = await selectJob(trx, own).where({ state: 'active' }).forShare().first('id');
  return row !== undefined;
}

/** Ends this attempt's ownership of the job, so that its late writes fail and another may begin. False if it had none. */
export async function releaseJob(trx: Db, own: OwnJob): Promise<boolean> {
  const rows = await selectJob(trx, own)
    .where({ state: 'active' })
    .update({ attempt: own.attempt + 1 });
  return rows > 0;
}

export type Progress = SyncResult & { total: number; done: number };

export async function writeProgress(db: Db, own: OwnJob, progress: Progress): Promise<void> {
  await selectJob(db, own)
    .whereIn('state', OPEN)
    .update({ ...progressColumns(progress), waits_until: null });
}

export async function setWaitsUntil(db: Db, own: OwnJob, { until, why }: { until: Date; why: 'flood' | 'outage' }) {
  await selectJob(db, own).update({ waits_until: until, waits_for: why });
}

/** Stores when another job will resume this one, which ends early. */
export async function setRetryAt(db: Db, { userId, jobId }: OwnedJob, at: Date): Promise<void> {
  await db('sync_jobs').where({ user_id: userId, id: jobId }).update({ retry_at: at });
}

/** False if the job was already over, or belongs to another worker. */
export async function finishJob(
  db: Db,
  own: OwnJob,
  end: { state: Extract<SyncState, 'completed' | 'failed'>; progress: Progress; now: Date },
): Promise<boolean> {
  const rows = await selectJob(db, own)
    .whereIn('state', OPEN)
    .update({ ...progressColumns(end.progress), state: end.state, waits_until: null, finished_at: end.now });
  return rows > 0;
}

const progressColumns = (progress: Progress) => syncJobRow.columns({ ...progress, errors: JSON.stringify(progress.errors) });

/** Ends jobs that wait or run, whoever works on them. Returns the queue's own ids of those jobs. */
export async function endOpenJobs(trx: Db, userId: string, now: Date): Promise<string[]> {
  const ended = await trx('sync_jobs')
    .where({ user_id: userId })
    .whereIn('state', OPEN)
    .update({ state: 'failed', waits_until: null, finished_at: now })
    .returning<{ queue_id: string }[]>('queue_id');
  return ended.map(row => row.queue_id);
}

const dayLoad = z.object({
  conversations: z.coerce.number(),
  /** Number of these with a digest at the current minimum of messages, and (below) at the compared one. */
  digests: z.coerce.number(),
  digestsCompared: z.coerce.number(),
  notes: z.coerce.number(),
  isFirst: z.boolean(),
});
const loadRow = rowReader(dayLoad);
export type DayLoad = z.output<typeof dayLoad>;

type Minimums = { minMessages: number; comparedMinimum: number };

/** The load of each day with a sync since `since`. The very first sync read two weeks at once, so it counts only if alone. */
export async function listLoads(
  db: Db,
  { userId, since, minMessages, comparedMinimum }: { userId: string; since: string } & Minimums,
): Promise<DayLoad[]> {
  const rows = await sql`
    select count(*) as conversations,
      count(*) filter (where digests.message_count >= ${String(minMessages)}::int) as digests,
      count(*) filter (where digests.message_count >= ${String(comparedMinimum)}::int) as digests_compared,
      digests.digest_date = (select min(digest_date) from digests where user_id = ${userId}) as is_first,
      count(*) filter (where exists (
        select 1 from outbox_notes where outbox_notes.digest_id = digests.id and outbox_notes.crm_id is not null)) as notes
    from digests
    where digests.user_id = ${userId} and digests.digest_date >= ${since} and digests.message_count > 0
    group by digests.digest_date
    order by digests.digest_date desc
  `.rows(db, 'loads');
  const loads = rows.map(row => loadRow.parse(row));
  return loads.length > 1 ? loads.filter(({ isFirst }) => !isFirst) : loads;
}
