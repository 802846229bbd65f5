import type { Knex } from 'knex';

/** A conversation's day in words. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function said_in_digest(structured jsonb) returns text language sql immutable parallel safe as $$
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
      -- How far the digest is written; what the API answers is digest_status
      status text not null check (status in ('PENDING', 'SUMMARIZING', 'COMPLETE', 'FAILED', 'SKIPPED')),
      message_count integer not null default 0,
      -- The digest covers the messages after this one up to last_message_id
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
      -- Set before the messages are read: what a crash left set was being worked on
      in_work boolean not null default false,
      crashes integer not null default 0,
      covered_by uuid references digests on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      search tsvector generated always as (array_to_tsvector(search_words(summary || ' ' || said_in_digest(structured)) || user_id::text)) stored,
      is_urgent boolean generated always as (coalesce(structured ->> 'urgency' = 'high', false)) stored,
      -- Where in the summary each sentence stands and on which messages it rests, with who sent them and when: no text
      sources jsonb,
      first_message_at timestamptz,
      -- Shown until a model has written over it
      is_excerpt boolean not null default false,
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
    -- Digests with a note that changed since their notes were planned
    create table digest_changes (
      id bigint primary key generated always as identity,
      user_id uuid not null references users on delete cascade,
      digest_id uuid not null references digests on delete cascade
    );
    create index digest_changes_digest_id on digest_changes (digest_id);
    create index digest_changes_user_id on digest_changes (user_id);
    -- Digests a person wants written again in another style; a row goes once that is done, one that failed stays
    create table digest_rewrites (
      digest_id uuid primary key references digests on delete cascade,
      user_id uuid not null references users on delete cascade,
      -- One job of the queue belongs to it; a job of an older one does nothing
      request_id uuid not null,
      style text not null check (style in ('BUSINESS', 'DETAILED', 'MINIMAL')),
      state text not null check (state in ('waiting', 'active', 'failed')),
      reason text,
      -- How often a worker began with it and was not heard of again
      starts integer not null default 0,
      touched_at timestamptz not null
    );
    create index digest_rewrites_user_id on digest_rewrites (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table digest_rewrites, digest_changes, digests; drop function said_in_digest');
}
