import type { Knex } from 'knex';

/** For what the operator sees of the last hours. Rows are in the order of creation, so a coarse index is enough. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index digests_created_at on digests using brin (created_at)');
  await knex.raw('create index sync_jobs_created_at on sync_jobs using brin (created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index sync_jobs_created_at');
  await knex.raw('drop index digests_created_at');
}
