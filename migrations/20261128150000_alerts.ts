import type { Knex } from 'knex';

/** Alerts to the operator, and the workers' heartbeats. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table alerts (
      id uuid primary key default gen_random_uuid(),
      kind_key text not null,
      level text not null check (level in ('info', 'warn', 'error', 'revenue')),
      source text not null,
      kind text not null,
      -- json keeps the order of lines
      about json not null,
      count integer not null,
      -- Collects alerts within an hour after the last message of the kind
      is_repeat boolean not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      due_at timestamptz not null,
      -- Logged: no bot; refused by the bot API
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'logged', 'refused')),
      tries integer not null default 0,
      -- Sending pauses until then: the bot API asked for it, or is down
      held_until timestamptz,
      settled_at timestamptz
    );
    create index alerts_kind_key on alerts (kind_key, due_at desc);
    create index alerts_last_at on alerts (last_at desc);
    create index alerts_waiting on alerts (due_at) where state = 'waiting';
    create table ongoing_incidents (
      kind text primary key,
      since timestamptz not null,
      notified_at timestamptz not null
    );
    create table worker_heartbeats (
      id uuid primary key,
      started_at timestamptz not null,
      beat_at timestamptz not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table worker_heartbeats, ongoing_incidents, alerts');
}
