import type { Knex } from 'knex';

/** Digests: summaries of a conversation's day. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function digest_text(structured jsonb) returns text language sql immutable parallel safe as $$
      select coalesce(string_agg(said #>> '{}', ' '), '')
      from (
        select jsonb_path_query(structured, 'lax $.topics[*]') as said
        union all select jsonb_path_query(structured, 'lax $.actionItems[*].text')
        union all select jsonb_path_query(structured, 'lax $.keptLines[*].text')
      ) as parts
    $$;
    create table digests (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      job_id text references sync_jobs on delete set null,
      digest_date date not null,
      -- Progress of writing; the API returns digest_status
      status text not null check (status in ('PENDING', 'SUMMARIZING', 'COMPLETE', 'FAILED', 'SKIPPED')),
      message_count integer not null default 0,
      -- Covers the messages after this one up to last_message_id
      after_message_id bigint not null,
      last_message_id bigint not null,
      last_message_at timestamptz,
      summary text not null default '',
      structured jsonb,
      engine text not null default '',
      prompt_tokens integer,
      completion_tokens integer,
      cost_usd numeric(12,6),
      style text not null default '',
      reason text,
      -- Set before the messages are read: identifies the work that a crash interrupted
      is_started boolean not null default false,
      crashes integer not null default 0,
      covered_by uuid references digests on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      search tsvector generated always as (array_to_tsvector(search_words(summary || ' ' || digest_text(structured)) || user_id::text)) stored,
      is_urgent boolean generated always as (coalesce(structured ->> 'urgency' = 'high', false)) stored,
      -- Positions of the summary's sentences and their source messages with sender and time, without text
      sources jsonb,
      first_message_at timestamptz,
      -- Shown until a model overwrites it
      is_excerpt boolean not null default false,
      -- 1 for the greatest news of its day, where a model compared the day's digests
      news_rank smallint,
      unique (dialog_id, digest_date)
    );
    create index digests_begun on digests (created_at, status, id);
    create index digests_covered_by on digests (covered_by);
    create index digests_digest_date on digests (digest_date);
    create index digests_excerpts on digests (user_id) where is_excerpt;
    create index digests_job_id on digests (job_id);
    create index digests_newest on digests (user_id, digest_date desc, (summary = ''), last_message_at desc nulls last, id);
    create index digests_ready on digests (user_id, dialog_id, id, job_id)
      where summary <> '' and status = 'COMPLETE' and not is_excerpt;
    create index digests_search on digests using gin (search);
    create index digests_written on digests (user_id, digest_date, is_urgent, message_count)
      where summary <> '' and status not in ('SKIPPED', 'FAILED');
    -- Digests with notes that changed after planning
    create table digest_changes (
      id bigint primary key generated always as identity,
      user_id uuid not null references users on delete cascade,
      digest_id uuid not null references digests on delete cascade
    );
    create index digest_changes_digest_id on digest_changes (digest_id);
    create index digest_changes_user_id on digest_changes (user_id);
    -- Requested rewrites in another style; deleted when done, kept when failed
    create table digest_rewrites (
      digest_id uuid primary key references digests on delete cascade,
      user_id uuid not null references users on delete cascade,
      -- Identifies the request's job; jobs of older requests do nothing
      request_id uuid not null,
      style text not null check (style in ('BUSINESS', 'DETAILED', 'MINIMAL')),
      state text not null check (state in ('waiting', 'active', 'failed')),
      reason text,
      -- Number of workers that died while writing it
      starts integer not null default 0,
      touched_at timestamptz not null
    );
    create index digest_rewrites_user_id on digest_rewrites (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table digest_rewrites, digest_changes, digests; drop function digest_text');
}
