import type { Knex } from 'knex';

/** For what a user promised in a week, and the first day on which there was any promise. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index promises_first_said_on on promises (user_id, first_said_on desc, id)
    where direction = 'mine' and words <> ''
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_first_said_on');
}
