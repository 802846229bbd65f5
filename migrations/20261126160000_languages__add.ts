import type { Knex } from 'knex';

/** In which languages a model writes, and what promises say in others than the pages'. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table sync_configs add column digest_language text not null default '',
    add column crm_language text not null default ''`);
  await knex.raw(`comment on column sync_configs.digest_language is 'ISO 639-1; empty: each conversation''s own'`);
  await knex.raw(`comment on column sync_configs.crm_language is 'ISO 639-1; empty: each conversation''s own'`);
  await knex.raw('alter table promises add column said_words text, add column crm_words text');
  await knex.raw(
    `comment on column promises.said_words is 'words in the conversation''s language, where they are in another'`,
  );
  await knex.raw(`comment on column promises.crm_words is 'words for a task in the CRM, where a language was chosen'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table promises drop column said_words, drop column crm_words');
  await knex.raw('alter table sync_configs drop column digest_language, drop column crm_language');
}
