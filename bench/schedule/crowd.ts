import type { Db } from '../../src/lib/db.ts';

const ZONES = [
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/London',
  'Pacific/Apia',
  'UTC',
];

/** Users of eight zones, each with an active account; one more in a hundred has none, and is due all the same. */
export async function addCrowd(db: Db, count: number): Promise<void> {
  await db.raw(
    `insert into users (email, name) select 'user' || n || '@example.com', '' from generate_series(1, ?) n`,
    [count + Math.ceil(count / 100)],
  );
  await db.raw(
    `insert into messenger_accounts (user_id, messenger_user_id, status, credentials, connected_at)
     select id, id::text, 'active', 'sealed', now() from users where email like 'user%' order by email limit ?`,
    [count],
  );
  await db.raw(
    `insert into sync_configs
       (user_id, sync_time, timezone, include_groups, min_messages, summary_style, auto_create_contacts)
     select id, '18:00', (?::text[])[1 + abs(hashtext(id::text)) % ?], false, 1, 'BUSINESS', false
     from users where email like 'user%'`,
    [ZONES, ZONES.length],
  );
}

/** The first evening: all users are due in the same minute, and nothing is queued yet. */
export async function makeEverybodyDue(db: Db): Promise<void> {
  await db('sync_jobs').delete();
  await db('pgboss.job').whereIn('name', ['sync', 'sync-daily']).delete();
  await db('sync_configs').update({
    next_sync_at: db.raw(`date_trunc('minute', now())`),
    next_sync_day: db.raw('current_date'),
    last_sync_day: null,
  });
  for (const table of ['users', 'messenger_accounts', 'sync_configs', 'sync_jobs', 'pgboss.job']) {
    await db.raw('vacuum analyze ??', [table]);
  }
}

export async function countDue(db: Db): Promise<number> {
  return countOf(db, 'select count(*) from sync_configs where next_sync_at <= now()');
}

/** The number in the column `count` of a statement's only row. */
export async function countOf(db: Db, sql: string): Promise<number> {
  return Number((await db.raw(sql)).rows[0].count);
}

/** What is wrong with what was queued; all zero when everybody with an account was queued exactly once. */
export async function faultsOf(db: Db, users: number): Promise<Record<string, number>> {
  const count = (sql: string) => countOf(db, sql);
  const queued = `from pgboss.job where name = 'sync'`;
  return {
    'users not in the queue': users - (await count(`select count(distinct singleton_key) ${queued}`)),
    'users twice in the queue': await count(`select count(*) - count(distinct singleton_key) as count ${queued}`),
    'users without a job': users - (await count('select count(distinct user_id) from sync_jobs')),
    'users with two jobs': await count('select count(*) - count(distinct user_id) as count from sync_jobs'),
    'jobs not in the queue': await count(
      `select count(*) from sync_jobs where not exists (
         select 1 ${queued} and id = queue_id and singleton_key = user_id::text and data ->> 'jobId' = sync_jobs.id)`,
    ),
    'jobs without an account': await count(
      'select count(*) from sync_jobs where user_id not in (select user_id from messenger_accounts)',
    ),
    'users still due': await countDue(db),
  };
}
