import type { Knex } from 'knex';

/** Counted at each start, so that a worker whose job was taken over can tell that the job is another's now. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sync_jobs add column attempt integer not null default 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sync_jobs drop column attempt');
}
