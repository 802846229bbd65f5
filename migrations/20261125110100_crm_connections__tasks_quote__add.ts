import type { Knex } from 'knex';

/** Colleagues read tasks in the CRM: these quote people only once the user chose so. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_connections add column tasks_quote boolean not null default false');
  await knex.raw(`comment on column crm_connections.tasks_quote is 'the subjects of tasks may quote people'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_connections drop column tasks_quote');
}
