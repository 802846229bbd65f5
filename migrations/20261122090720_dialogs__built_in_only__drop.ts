import type { Knex } from 'knex';

/** The choice has a table of its own. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs drop column built_in_only');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs add column built_in_only boolean not null default false');
  await knex.raw(`
    update dialogs set built_in_only = true
    where exists (select from writer_choices c
      where c.dialog_id = dialogs.id and c.ended_at is null and c.writer = 'built-in')
  `);
}
