import type { Knex } from 'knex';

const AGENDA = `create index promises_agenda on promises (user_id, direction, coalesce(due_date, 'infinity'), due_time, id)`;
const KEPT_COLUMNS = 'dialog_id, state, snoozed_until, due_date, last_digest_id, last_said_on, kind';
const LIVE = `state in ('open', 'snoozed') and words <> ''`;

/**
 * Appointments and deadlines that are not the user's alone are listed on their days: few among many promises. What is
 * urgent is counted without what may be settled, from the index alone. And what was closed lately is found without the
 * many that are open.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index promises_dates on promises (user_id, coalesce(due_date, 'infinity'), due_time, id)
    where kind <> 'promise' and ${LIVE}
  `);
  await knex.raw('drop index if exists promises_agenda');
  await knex.raw(`${AGENDA} include (${KEPT_COLUMNS}, is_doubtful) where ${LIVE}`);
  await knex.raw(`
    create index promises_closed on promises (user_id, changed_at desc, id) include (dialog_id, state, reason, is_doubtful)
    where words <> '' and (state in ('done', 'cancelled', 'dismissed') or is_doubtful)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists promises_closed');
  await knex.raw('drop index if exists promises_agenda');
  await knex.raw(`${AGENDA} include (${KEPT_COLUMNS}) where ${LIVE}`);
  await knex.raw('drop index if exists promises_dates');
}
