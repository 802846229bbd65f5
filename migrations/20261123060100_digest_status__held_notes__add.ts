import type { Knex } from 'knex';

/** A note that waits for the CRM account's administrator is a refused one, too. */
export async function up(knex: Knex): Promise<void> {
  await define(knex, `note.trouble in ('CRM_REFUSED', 'CRM_PROPERTY_REQUIRED', 'CRM_ASSOCIATION_REFUSED')`);
}

export async function down(knex: Knex): Promise<void> {
  await define(knex, `note.trouble = 'CRM_REFUSED'`);
}

const OPEN = `('undecided', 'waiting', 'outdated', 'failed')`;

async function define(knex: Knex, isRefused: string): Promise<void> {
  await knex.raw(`
    create or replace function digest_status(digest uuid, writing text) returns table (status text)
    language sql stable parallel safe rows 1 as $$
      select case when writing <> 'COMPLETE' then writing else
        case (
          select bool_and(note.state = 'failed') from crm_notes note
            join crm_connections crm on crm.user_id = note.user_id and crm.portal_id = note.portal_id
          where note.digest_id = digest and note.state in ${OPEN}
            and case when note.state = 'failed' then ${isRefused} else crm.status <> 'disconnected' end
        ) when true then 'FAILED' when false then 'SYNCING' else 'COMPLETE' end
      end
    $$
  `);
}
