import type { Knex } from 'knex';

/**
 * What is open is listed by side and due day, and counted, from one index: what the counts read is in it. What is put off
 * is listed by the day on which it is back.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_counts');
  await knex.raw(`
    create index promises_counts on promises (user_id, direction, coalesce(due_date, 'infinity'), id)
    include (due_date, state, snoozed_until, last_said_on, dialog_id)
    where state in ('open', 'snoozed') and words <> ''
  `);
  await knex.raw(`
    create index promises_put_off on promises (user_id, snoozed_until, id) where snoozed_until is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_put_off');
  await knex.raw('drop index promises_counts');
  await knex.raw(`
    create index promises_counts on promises (user_id, direction, due_date) include (state, snoozed_until)
    where state in ('open', 'snoozed') and words <> ''
  `);
}
