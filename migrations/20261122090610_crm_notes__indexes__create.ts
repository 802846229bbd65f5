import type { Knex } from 'knex';

/** A person has tens of thousands of notes in a year, of which each query needs only a few. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index crm_notes_user_id');
  await knex.raw('create index crm_notes_of_contact on crm_notes (user_id, crm_contact_id)');
  await knex.raw('create index crm_notes_last_written on crm_notes (user_id, written_at) where written_at is not null');
  await knex.raw('create index crm_notes_written_at on crm_notes (written_at) where written_at is not null');
  await knex.raw(`
    create index crm_notes_untold on crm_notes (user_id)
      where crm_note_id is not null and state in ('written', 'outdated') and (told_at is null or told_at < written_at)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index crm_notes_untold');
  await knex.raw('drop index crm_notes_written_at');
  await knex.raw('drop index crm_notes_last_written');
  await knex.raw('drop index crm_notes_of_contact');
  await knex.raw('create index crm_notes_user_id on crm_notes (user_id, state)');
}
