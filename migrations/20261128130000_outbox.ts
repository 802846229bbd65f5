import type { Knex } from 'knex';

/** Notes and tasks on their way to the CRM. */
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
      -- Of what the note says, or would say if the CRM took it
      content_hash text,
      -- Set before a note is sent, taken away by the answer: while it stands nobody knows whether the CRM has the note
      is_unclear boolean not null default false,
      tries integer not null default 0,
      failure text,
      claim uuid,
      -- With a claim: one process works on it until then; without: not to be tried again before then
      claimed_until timestamptz,
      -- Our contact properties were put on the contact on account of this note
      names_contact boolean not null default false,
      -- When the contact's properties were brought up to date after the last writing
      told_at timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz,
      -- Of a digest that its person deleted, until its note is removed, too
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
    create index outbox_notes_untold on outbox_notes (user_id)
      where crm_id is not null and state in ('written', 'outdated') and (told_at is null or told_at < written_at);
    create index outbox_notes_written_at on outbox_notes (written_at) where written_at is not null;
    create table outbox_tasks (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      promise_id uuid not null references promises on delete cascade,
      portal_id text not null,
      crm_contact_id text not null,
      -- Null where the CRM has none: not yet, archived, or deleted there
      crm_id text,
      state text not null check (state in ('waiting', 'written', 'outdated', 'unwanted', 'archived', 'gone', 'failed')),
      -- As it was last written, or is being sent; due_at likewise
      subject text,
      due_at timestamptz,
      -- There, as far as we know
      is_completed boolean not null default false,
      -- The moment the CRM gives for the completion we know of
      completion text not null default '',
      -- What the last call was to make of is_completed, while it is unclear whether it did
      sending_completed boolean,
      -- Set before a call, taken away by its answer: while it stands nobody knows whether the CRM carried it out
      is_unclear boolean not null default false,
      tries integer not null default 0,
      failure text,
      claim uuid,
      -- With a claim: one process works on it until then; without: not to be tried again before then
      claimed_until timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz,
      unique (promise_id, portal_id)
    );
    create index outbox_tasks_user_id on outbox_tasks (user_id, state);
    -- The six statuses of the API: how far the digest is written, then how far its note is.
    create function digest_status(digest uuid, writing text) returns table (status text)
    language sql stable parallel safe rows 1 as $$
      select case when writing <> 'COMPLETE' then writing else
        case (
          select bool_and(note.state = 'failed') from outbox_notes note
            join crm_connections crm on crm.user_id = note.user_id and crm.portal_id = note.portal_id
          where note.digest_id = digest and note.state in ('undecided', 'waiting', 'outdated', 'failed')
            and case when note.state = 'failed'
              then note.failure in ('CRM_REFUSED', 'CRM_PROPERTY_REQUIRED', 'CRM_ASSOCIATION_REFUSED')
              else crm.status <> 'disconnected' end
        ) when true then 'FAILED' when false then 'SYNCING' else 'COMPLETE' end
      end
    $$;
    create function digests_note_change() returns trigger language plpgsql as $$
    begin
      insert into digest_changes (user_id, digest_id)
      select new.user_id, new.id where exists (select from outbox_notes where digest_id = new.id);
      return null;
    end $$;
    create trigger change_of_noted after update of summary, structured, message_count, engine, last_message_at on digests
    for each row when (
      (new.summary, new.message_count, new.engine, new.last_message_at, new.structured)
        is distinct from (old.summary, old.message_count, old.engine, old.last_message_at, old.structured)
    ) execute function digests_note_change();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop trigger change_of_noted on digests; drop function digests_note_change, digest_status; drop table outbox_tasks, outbox_notes',
  );
}
