import type { Knex } from 'knex';

/** The address of its digest is in the note: it finds a note in the CRM that we don't know the id of. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_notes add column deleted_digest_id uuid');
  await knex.raw(`
    comment on column crm_notes.deleted_digest_id is 'of a digest that its person deleted, until its note is removed, too'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_notes drop column deleted_digest_id');
}
