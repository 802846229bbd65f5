import type { Knex } from 'knex';

const KEY = `(user_id, direction, coalesce(due_date, 'infinity'), due_time, id)`;
const LIVE = `where state in ('open', 'snoozed') and words <> ''`;

/**
 * Open promises are listed by side, due day and hour, and counted, from one index: it holds all that the counts on
 * every page read. Snoozed promises are listed by the day on which they come back.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_counts');
  await knex.raw('drop index promises_agenda');
  await knex.raw(`
    create index promises_agenda on promises ${KEY}
    include (dialog_id, state, snoozed_until, due_date, last_digest_id, last_said_on) ${LIVE}
  `);
  await knex.raw(`
    create index promises_put_off on promises (user_id, snoozed_until, id) where snoozed_until is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index promises_put_off');
  await knex.raw('drop index promises_agenda');
  await knex.raw(`
    create index promises_agenda on promises ${KEY}
    include (dialog_id, state, snoozed_until, due_date, last_digest_id) ${LIVE}
  `);
  await knex.raw(`
    create index promises_counts on promises (user_id, direction, due_date) include (state, snoozed_until) ${LIVE}
  `);
}
