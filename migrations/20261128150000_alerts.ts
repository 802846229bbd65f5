import type { Knex } from 'knex';

/** Messages to the operator, and what they are sent for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table alerts (
      id uuid primary key default gen_random_uuid(),
      kind_key text not null,
      level text not null check (level in ('info', 'warn', 'error', 'revenue')),
      source text not null,
      kind text not null,
      -- Json, so that the lines stay in their order
      about json not null,
      count integer not null,
      -- Gathers what comes within an hour after the last message of its kind
      is_repeat boolean not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      due_at timestamptz not null,
      -- Logged: there is no bot; refused: the bot interface does not take it
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'logged', 'refused')),
      tries integer not null default 0,
      -- Until then nothing is sent at all: the bot interface asked for it, or is down
      held_until timestamptz,
      settled_at timestamptz
    );
    create index alerts_kind_key on alerts (kind_key, due_at desc);
    create index alerts_last_at on alerts (last_at desc);
    create index alerts_waiting on alerts (due_at) where state = 'waiting';
    create table heartbeat_troubles (
      kind text primary key,
      since timestamptz not null,
      told_at timestamptz not null
    );
    create table worker_heartbeats (
      id uuid primary key,
      started_at timestamptz not null,
      beat_at timestamptz not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table worker_heartbeats, heartbeat_troubles, alerts');
}
