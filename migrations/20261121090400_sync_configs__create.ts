import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_configs (
      user_id uuid primary key references users on delete cascade,
      sync_time text not null,
      timezone text not null,
      include_groups boolean not null,
      min_messages integer not null check (min_messages >= 1),
      summary_style text not null check (summary_style in ('BUSINESS', 'DETAILED', 'MINIMAL')),
      auto_create_contacts boolean not null,
      updated_at timestamptz not null default now()
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sync_configs');
}
