import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_job_names (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      job_id text not null unique references sync_jobs on delete cascade
    )
  `);
  await knex.raw(`
    comment on table sync_job_names is
      'ids answered to a trigger while a sync that nobody asked for was at work: they show that one'
  `);
  await knex.raw('create index sync_job_names_user_id on sync_job_names (user_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sync_job_names');
}
