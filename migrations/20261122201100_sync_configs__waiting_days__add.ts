import type { Knex } from 'knex';

/** The number of working days without an answer after which somebody counts as waiting. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_configs add column waiting_days smallint not null default 1
      constraint sync_configs_waiting_days check (waiting_days in (1, 2, 3, 7))
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sync_configs drop column waiting_days');
}
