import type { Knex } from 'knex';

/** What the operator is told: ids, counts and codes, nothing a person wrote. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table alerts (
      id uuid primary key default gen_random_uuid(),
      kind_key text not null,
      level text not null check (level in ('info', 'warn', 'error', 'revenue')),
      source text not null,
      kind text not null,
      about json not null,
      count integer not null,
      is_repeat boolean not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      due_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'logged', 'refused')),
      tries integer not null default 0,
      sending_since timestamptz,
      held_until timestamptz,
      settled_at timestamptz
    )
  `);
  await knex.raw('create index alerts_kind_key on alerts (kind_key, due_at desc)');
  await knex.raw(`create index alerts_waiting on alerts (due_at) where state = 'waiting'`);
  await knex.raw('create index alerts_last_at on alerts (last_at desc)');
  await knex.raw(`comment on column alerts.about is 'json, so that the lines stay in their order'`);
  await knex.raw(`
    comment on column alerts.is_repeat is 'gathers what comes within an hour after the last message of its kind'
  `);
  await knex.raw(`
    comment on column alerts.held_until is 'until then nothing is sent at all: the bot interface asked for it, or is down'
  `);
  await knex.raw(
    `comment on column alerts.state is 'logged: there is no bot; refused: the bot interface does not take it'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table alerts');
}
