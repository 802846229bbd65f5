import type { Knex } from 'knex';

/**
 * Digests whose notes may be out of date: without it, each planning of a person's notes compared all of them, tens of
 * thousands in a year. Separate rows instead of a mark on the note, which another transaction may have locked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table digest_changes (
      id bigint generated always as identity primary key,
      user_id uuid not null references users on delete cascade,
      digest_id uuid not null references digests on delete cascade
    )
  `);
  await knex.raw('create index digest_changes_user_id on digest_changes (user_id)');
  await knex.raw('create index digest_changes_digest_id on digest_changes (digest_id)');
  await knex.raw(
    `comment on table digest_changes is 'digests with a note that changed since their notes were planned'`,
  );
  await knex.raw(`
    create function digests_note_change() returns trigger language plpgsql as $$
    begin
      insert into digest_changes (user_id, digest_id)
      select new.user_id, new.id where exists (select from crm_notes where digest_id = new.id);
      return null;
    end $$
  `);
  await knex.raw(`
    create trigger change_of_noted after update of summary, structured, message_count, engine, last_message_at on digests
      for each row when (
        (new.summary, new.message_count, new.engine) is distinct from (old.summary, old.message_count, old.engine)
        or new.last_message_at is distinct from old.last_message_at or new.structured is distinct from old.structured)
      execute function digests_note_change()
  `);
  // Notes are planned with each sync, at least once a day, unless the CRM is not there.
  await knex.raw(`
    insert into digest_changes (user_id, digest_id)
    select distinct notes.user_id, digests.id from crm_notes notes join digests on digests.id = notes.digest_id
      left join crm_connections crm on crm.user_id = notes.user_id
    where notes.state in ('written', 'failed')
      and (digests.updated_at > now() - interval '2 days' or crm.status is distinct from 'active')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger change_of_noted on digests');
  await knex.raw('drop function digests_note_change()');
  await knex.raw('drop table digest_changes');
}
