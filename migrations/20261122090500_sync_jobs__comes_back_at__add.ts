import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_jobs
      add column waits_for text check (waits_for in ('flood', 'outage')),
      add column comes_back_at timestamptz,
      add column outages integer not null default 0
  `);
  await knex.raw(`comment on column sync_jobs.waits_for is 'why it waits until waits_until'`);
  await knex.raw(`comment on column sync_jobs.comes_back_at is 'it ended early; another one takes it up by then'`);
  await knex.raw(`comment on column sync_jobs.outages is 'so many jobs before it ended over the same outage'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sync_jobs drop column waits_for, drop column comes_back_at, drop column outages');
}
