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
      state text not null check (state in ('waiting', 'written', 'outdated', 'unwanted', 'failed')),
      content_hash text,
      is_unclear boolean not null default false,
      tries integer not null default 0,
      trouble text,
      claim uuid,
      claimed_until timestamptz,
      names_contact boolean not null default false,
      told_at timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz
    )
  `);
  await knex.raw(`
    create unique index crm_notes_one_per_digest on crm_notes (digest_id, portal_id) where state <> 'unwanted'
  `);
  await knex.raw('create index crm_notes_user_id on crm_notes (user_id, state)');
  await knex.raw(
    `create index crm_notes_to_do on crm_notes (user_id) where state in ('waiting', 'outdated', 'unwanted')`,
  );
  await knex.raw('create index crm_notes_dialog_id on crm_notes (dialog_id)');
  await knex.raw('create index crm_notes_job_id on crm_notes (job_id)');
  await knex.raw('create index crm_notes_digest_id on crm_notes (digest_id)');
  await knex.raw(`create index digests_syncing on digests (user_id) where status = 'SYNCING'`);
  await knex.raw(`
    comment on column crm_notes.content_hash is 'of what the note says, or would say if the CRM took it'
  `);
  await knex.raw(`
    comment on column crm_notes.is_unclear is
      'set before a note is sent, taken away by the answer: while it stands nobody knows whether the CRM has the note'
  `);
  await knex.raw(`
    comment on column crm_notes.claimed_until is
      'with a claim: one process works on it until then; without: not to be tried again before then'
  `);
  await knex.raw(`
    comment on column crm_notes.names_contact is 'our contact properties were put on the contact on account of this note'
  `);
  await knex.raw(`
    comment on column crm_notes.told_at is 'when the contact''s properties were brought up to date after the last writing'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index digests_syncing');
  await knex.raw('drop table crm_notes');
}
