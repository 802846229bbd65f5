import type { Knex } from 'knex';

/** What was due in a week, and how much of it is kept, is counted from the index alone, however many promises exist. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index promises_week on promises (user_id, coalesce(due_date, 'infinity'))
    include (direction, state, snoozed_until, changed_by, due_date)
    where state in ('open', 'snoozed', 'done') and words <> ''
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_week');
}
