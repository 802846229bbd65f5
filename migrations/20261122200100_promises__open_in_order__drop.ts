import type { Knex } from 'knex';

/** The page of promises, which has an index of its own, replaced the list of earlier days' open items. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_open_in_order');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index promises_open_in_order on promises
      (user_id, (direction = 'mine') desc, due_date nulls last, last_said_on, item_id)
      where state in ('open', 'snoozed')
  `);
}
