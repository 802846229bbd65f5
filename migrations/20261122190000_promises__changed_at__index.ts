import type { Knex } from 'knex';

/** For listing what was closed, newest first, and what one decision about many promises changed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index promises_changed_at on promises (user_id, changed_at desc, id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_changed_at');
}
