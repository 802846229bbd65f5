import type { Knex } from 'knex';

/** As for the notes: the table gets the names that they share, and its old ones stay as a view. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_tasks rename to outbox_tasks');
  await knex.raw('alter table outbox_tasks rename column crm_task_id to crm_id');
  await knex.raw(`
    create view crm_tasks as select id, user_id, promise_id, portal_id, crm_contact_id, crm_id as crm_task_id, state,
      subject, due_at, is_completed, completion, sending_completed, is_unclear, tries, failure, claim, claimed_until,
      created_at, written_at, read_at, failed_at
    from outbox_tasks
  `);
  await knex.raw(`comment on view crm_tasks is 'outbox_tasks, for processes of the release before'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop view crm_tasks');
  await knex.raw('alter table outbox_tasks rename column crm_id to crm_task_id');
  await knex.raw('alter table outbox_tasks rename to crm_tasks');
}
