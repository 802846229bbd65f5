import type { Knex } from 'knex';

/** The counts in every page's navigation are read from the index alone, however many promises are open. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index promises_counts on promises (user_id, direction, due_date) include (state, snoozed_until)
    where state in ('open', 'snoozed') and words <> ''
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_counts');
}
