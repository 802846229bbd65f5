import type { Knex } from 'knex';

/** Properties that a CRM account requires of records written to it, and what the user wants to be sent for them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_requirements (
      user_id uuid not null references users on delete cascade,
      portal_id text not null,
      object_type text not null check (object_type in ('contacts', 'notes', 'tasks')),
      name text not null,
      label text not null default '',
      options jsonb not null default '[]',
      may_fill boolean not null default true,
      is_conditional boolean not null default false,
      value text not null default '',
      is_refused boolean not null default false,
      noticed_at timestamptz not null,
      primary key (user_id, portal_id, object_type, name)
    )
  `);
  for (const [column, words] of Object.entries(COMMENTS)) {
    await knex.raw(`comment on column crm_requirements.${column} is '${words}'`);
  }
}

const COMMENTS = {
  label: 'as people read it in the CRM; empty when it could not be asked for',
  options: 'the values the CRM takes, with their labels; empty where any text does',
  may_fill: 'false where one value can not serve for all records',
  is_conditional: 'required of some records of the type only',
  value: 'sent with every new record of the type; empty until the user says one',
  is_refused: 'the CRM did not accept the value',
};

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table crm_requirements');
}
