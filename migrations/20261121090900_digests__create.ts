import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table digests (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      job_id text references sync_jobs on delete set null,
      digest_date date not null,
      status text not null check (status in ('PENDING', 'SUMMARIZING', 'SYNCING', 'COMPLETE', 'FAILED', 'SKIPPED')),
      message_count integer not null default 0,
      after_message_id bigint not null,
      last_message_id bigint not null,
      last_message_at timestamptz,
      summary text not null default '',
      structured jsonb,
      engine text not null default '',
      prompt_tokens integer,
      completion_tokens integer,
      cost_usd numeric(12, 6),
      style text not null default '',
      reason text,
      in_work boolean not null default false,
      crashes integer not null default 0,
      covered_by uuid references digests on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (dialog_id, digest_date)
    )
  `);
  await knex.raw(`
    create index digests_newest on digests (user_id, digest_date desc, (summary = ''), last_message_at desc nulls last, id)
  `);
  await knex.raw('create index digests_job_id on digests (job_id)');
  await knex.raw('create index digests_covered_by on digests (covered_by)');
  await knex.raw(`
    comment on column digests.in_work is 'set before the messages are read: what a crash left set was being worked on'
  `);
  await knex.raw(`
    comment on column digests.after_message_id is
      'the digest covers the messages after this one up to last_message_id'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table digests');
}
