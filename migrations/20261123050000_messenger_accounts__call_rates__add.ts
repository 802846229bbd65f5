import type { Knex } from 'knex';

/** What we learned from the messenger's waits: how far apart to make calls of each kind, and since when. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table messenger_accounts add column call_rates jsonb not null default '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table messenger_accounts drop column call_rates`);
}
