import type { Knex } from 'knex';

/** Notes and tasks to be written to the CRM. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table outbox_notes (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      digest_id uuid references digests on delete set null,
      job_id text references sync_jobs on delete set null,
      portal_id text not null,
      crm_contact_id text not null,
      crm_id text,
      state text not null check (state in ('undecided', 'waiting', 'written', 'outdated', 'unwanted', 'failed')),
      -- Hash of the note's current text
      content_hash text,
      -- Set before sending, cleared by the answer: while set, the CRM may or may not have the note
      is_unclear boolean not null default false,
      tries integer not null default 0,
      failure text,
      claim uuid,
      -- With a claim: its lease; without: time of the next try
      claimed_until timestamptz,
      -- This note's writing set our properties on the contact
      names_contact boolean not null default false,
      -- When the contact's properties were last updated after writing
      contact_synced_at timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz,
      -- Id of a deleted digest until its note is removed
      deleted_digest_id uuid,
      failed_at timestamptz,
      check (crm_contact_id <> '' or state in ('undecided', 'unwanted', 'failed'))
    );
    create index outbox_notes_dialog_id on outbox_notes (dialog_id);
    create index outbox_notes_digest_id on outbox_notes (digest_id);
    create index outbox_notes_job_id on outbox_notes (job_id);
    create index outbox_notes_last_written on outbox_notes (user_id, written_at) where written_at is not null;
    create index outbox_notes_left_over on outbox_notes (id)
      where digest_id is null and state in ('waiting', 'outdated', 'failed');
    create index outbox_notes_of_contact on outbox_notes (user_id, crm_contact_id);
    create unique index outbox_notes_one_per_digest on outbox_notes (digest_id, portal_id) where state <> 'unwanted';
    create index outbox_notes_open on outbox_notes (digest_id) where state in ('undecided', 'waiting', 'outdated', 'failed');
    create index outbox_notes_standing on outbox_notes (user_id, portal_id, digest_id) where state <> 'unwanted';
    create index outbox_notes_to_do on outbox_notes (user_id) where state in ('waiting', 'outdated', 'unwanted');
    create index outbox_notes_contact_unsynced on outbox_notes (user_id)
      where crm_id is not null and state in ('written', 'outdated') and (contact_synced_at is null or contact_synced_at < written_at);
    create index outbox_notes_written_at on outbox_notes (written_at) where written_at is not null;
    create table outbox_tasks (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      promise_id uuid not null references promises on delete cascade,
      portal_id text not null,
      crm_contact_id text not null,
      -- Null if the CRM has none: not yet written, archived or deleted
      crm_id text,
      state text not null check (state in ('waiting', 'written', 'outdated', 'unwanted', 'archived', 'gone', 'failed')),
      -- Last written or pending value; due_at likewise
      subject text,
      -- The subject is, or may be, in words that the user wrote
      is_own_subject boolean not null default false,
      due_at timestamptz,
      -- Last known state in the CRM
      is_completed boolean not null default false,
      -- The CRM's time of the known completion
      crm_completed_at text not null default '',
      -- Value of is_completed in the last call, while its outcome is unclear
      pending_completed boolean,
      -- Set before a call, cleared by its answer: while set, the outcome is unknown
      is_unclear boolean not null default false,
      tries integer not null default 0,
      failure text,
      claim uuid,
      -- With a claim: its lease; without: time of the next try
      claimed_until timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz,
      unique (promise_id, portal_id)
    );
    create index outbox_tasks_user_id on outbox_tasks (user_id, state);
    -- The API's six statuses: progress of the digest, then of its note. A contact that is gone is no failure of the digest's.
    create function digest_status(digest uuid, writing text) returns table (status text)
    language sql stable parallel safe rows 1 as $$
      select case when writing <> 'COMPLETE' then writing else
        case (
          select bool_and(note.state = 'failed') from outbox_notes note
            join crm_connections crm on crm.user_id = note.user_id and crm.portal_id = note.portal_id
          where note.digest_id = digest and note.state in ('undecided', 'waiting', 'outdated', 'failed')
            and case when note.state = 'failed' then note.failure <> 'CRM_CONTACT_GONE' else crm.status <> 'disconnected' end
        ) when true then 'FAILED' when false then 'SYNCING' else 'COMPLETE' end
      end
    $$;
    create function queue_digest_change() returns trigger language plpgsql as $$
    begin
      insert into digest_changes (user_id, digest_id)
      select new.user_id, new.id where exists (select from outbox_notes where digest_id = new.id);
      return null;
    end $$;
    create trigger queue_note_change after update of summary, structured, message_count, engine, last_message_at on digests
    for each row when (
      (new.summary, new.message_count, new.engine, new.last_message_at, new.structured)
        is distinct from (old.summary, old.message_count, old.engine, old.last_message_at, old.structured)
    ) execute function queue_digest_change();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop trigger queue_note_change on digests; drop function queue_digest_change, digest_status; drop table outbox_tasks, outbox_notes',
  );
}
