import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table user_sessions add column last_seen_at timestamptz not null default now()
  `);
  await knex.raw('update user_sessions set last_seen_at = created_at');
  await knex.raw(`comment on column user_sessions.last_seen_at is 'to the hour: not every request writes it'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table user_sessions drop column last_seen_at');
}
