import type { Knex } from 'knex';

/**
 * Who said the words of a promise, where these are quoted: none of today's are, as far as it is known. What a quote
 * answers is shown with it, so it is found by these words, too.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table promises add column said_by jsonb');
  await knex.raw(
    `comment on column promises.said_by is 'who said its words, if these are a quote: the name, and if it is the user'`,
  );
  await replaceSearch(
    knex,
    `words || case when said_by is null then '' else ' ' || coalesce(request ->> 'words', '') end`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await replaceSearch(knex, 'words');
  await knex.raw('alter table promises drop column said_by');
}

async function replaceSearch(knex: Knex, text: string): Promise<void> {
  await knex.raw(`
    alter table promises drop column search,
      add column search tsvector generated always as (array_to_tsvector(search_words(${text}) || user_id::text)) stored
  `);
  await knex.raw(`create index promises_search_live on promises using gin (search) where state in ('open', 'snoozed')`);
  await knex.raw(
    `create index promises_search_settled on promises using gin (search) where state in ('done', 'cancelled', 'dismissed')`,
  );
}
