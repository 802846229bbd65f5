import type { Knex } from 'knex';

/** What the messenger taught by making us wait: how far apart calls of each kind are to be from then on, and since when. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table messenger_accounts add column call_rates jsonb not null default '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table messenger_accounts drop column call_rates`);
}
