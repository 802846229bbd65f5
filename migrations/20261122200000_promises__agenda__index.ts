import type { Knex } from 'knex';

/** What is due, for each direction and by the hour, and how much it is, are read from the index alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index promises_agenda on promises (user_id, direction, coalesce(due_date, 'infinity'), due_time, id)
      include (dialog_id, state, snoozed_until, due_date, last_digest_id)
      where state in ('open', 'snoozed') and words <> ''
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_agenda');
}
