import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index action_ticks_done_at on action_ticks (done_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index action_ticks_done_at');
}
