import type { Knex } from 'knex';

/**
 * For what the operator sees of the last hours. Rows are no longer in the order of their creation once old ones are
 * removed and new ones fill the gaps, so the coarse index led to the whole table.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index digests_created_at');
  await knex.raw('create index digests_begun on digests (created_at, status)');
  // Jobs that ended recently are found by their end.
  await knex.raw('drop index sync_jobs_created_at');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('create index sync_jobs_created_at on sync_jobs using brin (created_at)');
  await knex.raw('drop index digests_begun');
  await knex.raw('create index digests_created_at on digests using brin (created_at)');
}
