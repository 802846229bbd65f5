import type { Knex } from 'knex';

/**
 * Notes and tasks go to the CRM by one mechanism, so their columns have one name each. Nothing is copied: the table is
 * renamed, and its old name is a view with the old names of the columns, through which the processes of the release before
 * read and write the same rows until they are replaced. A later migration drops the view. Indexes keep their names.
 */
export async function up(knex: Knex): Promise<void> {
  // One table a migration: no process can hold one lock and wait for the other.
  await knex.raw('alter table crm_notes rename to outbox_notes');
  await knex.raw('alter table outbox_notes rename column crm_note_id to crm_id');
  await knex.raw('alter table outbox_notes rename column trouble to failure');
  await knex.raw('alter table outbox_notes add column failed_at timestamptz');
  await knex.raw(`
    create view crm_notes as select id, user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id,
      crm_id as crm_note_id, state, content_hash, is_unclear, tries, failure as trouble, claim, claimed_until,
      names_contact, told_at, created_at, written_at, deleted_digest_id
    from outbox_notes
  `);
  await knex.raw(`comment on view crm_notes is 'outbox_notes, for processes of the release before'`);
  await defineFunctions(knex, { table: 'outbox_notes', failure: 'failure' });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop view crm_notes');
  await knex.raw('alter table outbox_notes drop column failed_at');
  await knex.raw('alter table outbox_notes rename column failure to trouble');
  await knex.raw('alter table outbox_notes rename column crm_id to crm_note_id');
  await knex.raw('alter table outbox_notes rename to crm_notes');
  await defineFunctions(knex, { table: 'crm_notes', failure: 'trouble' });
}

const OPEN = `('undecided', 'waiting', 'outdated', 'failed')`;
const REFUSED = `('CRM_REFUSED', 'CRM_PROPERTY_REQUIRED', 'CRM_ASSOCIATION_REFUSED')`;

async function defineFunctions(knex: Knex, { table, failure }: { table: string; failure: string }): Promise<void> {
  await knex.raw(`
    create or replace function digest_status(digest uuid, writing text) returns table (status text)
    language sql stable parallel safe rows 1 as $$
      select case when writing <> 'COMPLETE' then writing else
        case (
          select bool_and(note.state = 'failed') from ${table} note
            join crm_connections crm on crm.user_id = note.user_id and crm.portal_id = note.portal_id
          where note.digest_id = digest and note.state in ${OPEN}
            and case when note.state = 'failed' then note.${failure} in ${REFUSED} else crm.status <> 'disconnected' end
        ) when true then 'FAILED' when false then 'SYNCING' else 'COMPLETE' end
      end
    $$
  `);
  await knex.raw(`
    create or replace function digests_note_change() returns trigger language plpgsql as $$
    begin
      insert into digest_changes (user_id, digest_id)
      select new.user_id, new.id where exists (select from ${table} where digest_id = new.id);
      return null;
    end $$
  `);
}
