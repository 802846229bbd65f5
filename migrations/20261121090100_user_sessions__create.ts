import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table user_sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      user_agent text not null default '',
      created_at timestamptz not null,
      expires_at timestamptz not null
    )
  `);
  await knex.raw('create index user_sessions_user_id on user_sessions (user_id)');
  await knex.raw('create index user_sessions_expires_at on user_sessions (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table user_sessions');
}
