import type { Knex } from 'knex';

/** What one process at a time may do: use a messenger account, take a step of a sign-in, renew a CRM token, send a mail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table leases (
      name text primary key,
      holder uuid not null,
      -- Renewed while it is used, so that a killed process frees it
      held_until timestamptz not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table leases');
}
