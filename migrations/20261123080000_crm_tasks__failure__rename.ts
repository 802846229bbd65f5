import type { Knex } from 'knex';

/** Why the CRM did not take a task, by the code that logs and pages use. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_tasks rename column trouble to failure');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_tasks rename column failure to trouble');
}
