import type { Knex } from 'knex';

const OPEN = `('undecided', 'waiting', 'outdated', 'failed')`;

/**
 * A digest's row says how far its writing is and nothing about its note: whether that is under way or refused, only the
 * note's own row says. `digest_status` derives what the API answers from both. `COMPLETE` stays the word for a written
 * digest, so that an upgrade leaves the rows of years as they are.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table crm_notes drop constraint crm_notes_state_check,
      add constraint crm_notes_state_check
        check (state in ('undecided', 'waiting', 'written', 'outdated', 'unwanted', 'failed')),
      add constraint crm_notes_contact_known
        check (crm_contact_id <> '' or state in ('undecided', 'unwanted', 'failed'))
  `);
  // A digest that was on its way to the CRM keeps a note that is: its own, or one that is to be decided.
  await knex.raw(`
    update crm_notes set state = 'outdated' from digests
    where digests.status = 'SYNCING' and digests.id = crm_notes.digest_id and crm_notes.state = 'written'
  `);
  await addNote(knex, 'undecided', { where: `digests.status = 'SYNCING' and crm.status <> 'disconnected'` });
  // A refused note that was dropped later left the digest failed; the next planning of the user's notes drops it again.
  await addNote(knex, 'failed', { where: `digests.status = 'FAILED' and digests.reason = 'CRM_REFUSED'` });
  await knex.raw('drop index digests_syncing');
  await knex.raw(`
    update digests set status = 'COMPLETE', reason = null
    where status = 'SYNCING' or (status = 'FAILED' and reason = 'CRM_REFUSED')
  `);
  await knex.raw('alter table digests drop constraint digests_status_check');
  await knex.raw(`
    alter table digests add constraint digests_status_check
      check (status in ('PENDING', 'SUMMARIZING', 'COMPLETE', 'FAILED', 'SKIPPED'))
  `);
  await knex.raw(
    `comment on column digests.status is 'how far the digest is written; what the API answers is digest_status'`,
  );
  await knex.raw(`create index crm_notes_open on crm_notes (digest_id) where state in ${OPEN}`);
  // With one column and no table of its own, it is inlined into the statement that joins it.
  await knex.raw(`
    create function digest_status(digest uuid, writing text) returns table (status text)
    language sql stable parallel safe rows 1 as $$
      select case when writing <> 'COMPLETE' then writing else
        case (
          select bool_and(note.state = 'failed') from crm_notes note
            join crm_connections crm on crm.user_id = note.user_id and crm.portal_id = note.portal_id
          where note.digest_id = digest and note.state in ${OPEN}
            and case when note.state = 'failed' then note.trouble = 'CRM_REFUSED' else crm.status <> 'disconnected' end
        ) when true then 'FAILED' when false then 'SYNCING' else 'COMPLETE' end
      end
    $$
  `);
  await knex.raw(
    `comment on function digest_status is 'the status of a digest in the API, from its writing and its note'`,
  );
  await knex.raw('drop index digests_ready, digests_written, digests_begun');
  await knex.raw(`
    create index digests_ready on digests (user_id, dialog_id, id, job_id) where summary <> '' and status = 'COMPLETE'
  `);
  await knex.raw(`
    create index digests_written on digests (user_id, digest_date, is_urgent, message_count)
    where summary <> '' and status not in ('SKIPPED', 'FAILED')
  `);
  await knex.raw('create index digests_begun on digests (created_at, status, id)');
}

function addNote(knex: Knex, state: 'undecided' | 'failed', { where }: { where: string }) {
  return knex.raw(
    `
    insert into crm_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state, trouble)
    select digests.user_id, digests.dialog_id, digests.id, digests.job_id, crm.portal_id, '', ?, ?
    from digests join crm_connections crm on crm.user_id = digests.user_id
    where ${where} on conflict do nothing
    `,
    [state, state === 'failed' ? 'CRM_REFUSED' : null],
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table digests drop constraint digests_status_check');
  await knex.raw(`
    alter table digests add constraint digests_status_check
      check (status in ('PENDING', 'SUMMARIZING', 'SYNCING', 'COMPLETE', 'FAILED', 'SKIPPED'))
  `);
  await knex.raw(`
    update digests set status = derived.status, reason = case derived.status when 'FAILED' then 'CRM_REFUSED' end
    from digests same cross join lateral digest_status(same.id, same.status) as derived
    where same.id = digests.id and digests.status = 'COMPLETE' and derived.status <> 'COMPLETE'
  `);
  await knex.raw('drop function digest_status(uuid, text)');
  await knex.raw(`delete from crm_notes where crm_contact_id = ''`);
  await knex.raw(
    'alter table crm_notes drop constraint crm_notes_contact_known, drop constraint crm_notes_state_check',
  );
  await knex.raw(`
    alter table crm_notes add constraint crm_notes_state_check check (state in ('waiting', 'written', 'outdated', 'unwanted', 'failed'))
  `);
  await knex.raw('drop index crm_notes_open, digests_ready, digests_written, digests_begun');
  await knex.raw(`create index digests_syncing on digests (user_id) where status = 'SYNCING'`);
  await knex.raw(`
    create index digests_ready on digests (user_id, dialog_id, id, job_id)
    where summary <> '' and (status in ('SYNCING', 'COMPLETE') or (status = 'FAILED' and reason = 'CRM_REFUSED'))
  `);
  await knex.raw(`
    create index digests_written on digests (user_id, digest_date, is_urgent, message_count)
    where summary <> '' and status <> 'SKIPPED' and (status <> 'FAILED' or reason = 'CRM_REFUSED')
  `);
  await knex.raw('create index digests_begun on digests (created_at, status)');
}
