import type { Knex } from 'knex';

/** What a conversation's name is looked up by from a question in another alphabet; written whenever conversations are listed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table dialogs add column name_keys text[] not null default '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs drop column name_keys');
}
