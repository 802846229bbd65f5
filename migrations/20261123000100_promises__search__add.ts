import type { Knex } from 'knex';

/**
 * A promise is found by its words, like a digest: folded by the same function, with the user's id as one of the words.
 * Open promises have an index of their own, so that a year of kept ones doesn't slow down their search.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table promises add column search tsvector generated always as (
      array_to_tsvector(search_words(words) || user_id::text)) stored
  `);
  await knex.raw(`create index promises_search_live on promises using gin (search) where state in ('open', 'snoozed')`);
  await knex.raw(
    `create index promises_search_settled on promises using gin (search) where state in ('done', 'cancelled', 'dismissed')`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table promises drop column search');
}
