import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_notes (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      digest_id uuid references digests on delete set null,
      job_id text references sync_jobs on delete set null,
      portal_id text not null,
      crm_contact_id text not null,
      crm_note_id text,
      state text not null check (state in ('waiting', 'writing', 'written', 'outdated', 'updating', 'unwanted', 'removing', 'failed')),
      content_hash text,
      tries integer not null default 0,
      trouble text,
      claimed_until timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz
    )
  `);
  await knex.raw(`
    create unique index crm_notes_one_per_digest on crm_notes (digest_id) where state not in ('unwanted', 'removing')
  `);
  await knex.raw(`create index crm_notes_to_do on crm_notes (user_id) where state not in ('written', 'failed')`);
  await knex.raw('create index crm_notes_dialog_id on crm_notes (dialog_id)');
  await knex.raw('create index crm_notes_job_id on crm_notes (job_id)');
  await knex.raw('create index crm_notes_digest_id on crm_notes (digest_id)');
  await knex.raw(`
    comment on column crm_notes.claimed_until is
      'writing, updating and removing belong to one process until then; later nobody knows what the CRM got'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table crm_notes');
}
