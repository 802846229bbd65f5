import type { Knex } from 'knex';

/** Which workers are alive, and which problems the operator was last told about. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table worker_heartbeats (
      id uuid primary key,
      started_at timestamptz not null,
      beat_at timestamptz not null
    )
  `);
  await knex.raw(`
    create table heartbeat_troubles (
      kind text primary key,
      since timestamptz not null,
      told_at timestamptz not null
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table heartbeat_troubles');
  await knex.raw('drop table worker_heartbeats');
}
