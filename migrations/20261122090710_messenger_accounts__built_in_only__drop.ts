import type { Knex } from 'knex';

/** The choice has a table of its own. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table messenger_accounts drop column built_in_only');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table messenger_accounts add column built_in_only boolean not null default false');
  await knex.raw(`
    update messenger_accounts set built_in_only = true
    where exists (select from writer_choices c
      where c.account_id = messenger_accounts.id and c.dialog_id is null and c.ended_at is null
        and c.writer = 'built-in')
  `);
}
