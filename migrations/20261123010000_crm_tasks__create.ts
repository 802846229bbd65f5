import type { Knex } from 'knex';

/** Promises as tasks in the CRM: which task is whose, and what it says there as far as we know. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_tasks (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      promise_id uuid not null references promises on delete cascade,
      portal_id text not null,
      crm_contact_id text not null,
      crm_task_id text,
      state text not null
        check (state in ('waiting', 'written', 'outdated', 'unwanted', 'archived', 'gone', 'failed')),
      subject text,
      due_at timestamptz,
      is_completed boolean not null default false,
      completion text not null default '',
      sending_completed boolean,
      is_unclear boolean not null default false,
      tries integer not null default 0,
      trouble text,
      claim uuid,
      claimed_until timestamptz,
      created_at timestamptz not null default now(),
      written_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz,
      unique (promise_id, portal_id)
    )
  `);
  await knex.raw('create index crm_tasks_user_id on crm_tasks (user_id, state)');
  for (const [column, words] of Object.entries(COMMENTS)) {
    await knex.raw(`comment on column crm_tasks.${column} is '${words}'`);
  }
  await knex.raw('alter table crm_connections add column tasks_write boolean not null default false');
  await knex.raw(`comment on column crm_connections.tasks_write is 'own promises with a due day become tasks'`);
}

const COMMENTS = {
  crm_task_id: 'null where the CRM has none: not yet, archived, or deleted there',
  subject: 'as it was last written, or is being sent; due_at likewise',
  is_completed: 'there, as far as we know',
  completion: 'the moment the CRM gives for the completion we know of',
  sending_completed: 'what the last call was to make of is_completed, while it is unclear whether it did',
  is_unclear:
    'set before a call, taken away by its answer: while it stands nobody knows whether the CRM carried it out',
  claimed_until: 'with a claim: one process works on it until then; without: not to be tried again before then',
};

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_connections drop column tasks_write');
  await knex.raw('drop table crm_tasks');
}
