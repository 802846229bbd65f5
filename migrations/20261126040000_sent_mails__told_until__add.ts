import type { Knex } from 'knex';

/** A daily email tells what was closed since the one before it, which for those sent so far is not known. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sent_mails add column told_until timestamptz');
  await knex.raw(`
    comment on column sent_mails.told_until is
      'until when the newest mail of its kind that was sent tells what happened; stays while the next one is being sent'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sent_mails drop column told_until');
}
