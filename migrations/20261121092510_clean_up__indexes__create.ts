import type { Knex } from 'knex';

/** For finding rows that are too old, across all users. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index digests_digest_date on digests (digest_date)');
  await knex.raw('create index sync_jobs_finished_at on sync_jobs (finished_at) where finished_at is not null');
  await knex.raw(`
    create index crm_notes_left_over on crm_notes (id)
      where digest_id is null and state in ('waiting', 'outdated', 'failed')
  `);
  await knex.raw('create index crm_throttles_next_at on crm_throttles (next_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index digests_digest_date');
  await knex.raw('drop index sync_jobs_finished_at');
  await knex.raw('drop index crm_notes_left_over');
  await knex.raw('drop index crm_throttles_next_at');
}
