import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table first_runs (
      user_id uuid primary key references users on delete cascade,
      begun_at timestamptz not null,
      crm_later_at timestamptz,
      finished_at timestamptz
    )
  `);
  await knex.raw(`
    comment on column first_runs.crm_later_at is 'when the person left connecting the CRM for later'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table first_runs');
}
