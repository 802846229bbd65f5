import type { Knex } from 'knex';

/** Syncs, and their numbers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_jobs (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      queue_id uuid not null,
      kind text not null check (kind in ('manual', 'daily', 'retry')),
      state text not null check (state in ('waiting', 'active', 'completed', 'failed')),
      conversations_total integer not null default 0,
      conversations_done integer not null default 0,
      dialogs_processed integer not null default 0,
      digests_created integer not null default 0,
      notes_created integer not null default 0,
      errors jsonb not null default '[]',
      digest_date date,
      waits_until timestamptz,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      attempt integer not null default 0,
      -- Reason for waits_until
      waits_for text check (waits_for in ('flood', 'outage')),
      -- The job ended early; another continues by then
      retry_at timestamptz,
      -- Consecutive earlier jobs ended by the same outage
      outages integer not null default 0,
      -- The id answered to a trigger while this sync, which nobody had asked for, was open
      requested_as text unique
    );
    create index sync_jobs_finished_at on sync_jobs (finished_at) where finished_at is not null;
    create unique index sync_jobs_one_open on sync_jobs (user_id) where state in ('waiting', 'active');
    create index sync_jobs_user_id on sync_jobs (user_id, created_at desc);
    create table sync_counters (
      user_id uuid not null references users on delete cascade,
      kind text not null check (kind in ('manual', 'retry')),
      number integer not null,
      primary key (user_id, kind)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sync_counters, sync_jobs');
}
