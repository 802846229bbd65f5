import type { Knex } from 'knex';

/** When all conversations were last listed, and up to when changes are stored, by the messenger's clock. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messenger_accounts
      add column all_dialogs_listed_at timestamptz,
      add column dialogs_known_until timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messenger_accounts drop column all_dialogs_listed_at, drop column dialogs_known_until;
  `);
}
