import type { Knex } from 'knex';

/** Whether a digest shows an excerpt until the model that is to write it has: nothing follows from it, and it is no digest yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table digests add column is_excerpt boolean not null default false');
}

export async function down(knex: Knex): Promise<void> {
  // What is shown only for now is no digest.
  await knex.raw(`update digests set summary = '', structured = null where is_excerpt`);
  await knex.raw('alter table digests drop column is_excerpt');
}
