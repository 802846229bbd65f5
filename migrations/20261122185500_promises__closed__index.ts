import type { Knex } from 'knex';

/** For the promises that messages closed lately, shown on every Today. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index promises_closed_index on promises (user_id, changed_at desc) where changed_by = 'automatic'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_closed_index');
}
