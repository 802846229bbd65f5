import type { Knex } from 'knex';

/** Every Today counts a person's days: from the index alone, without reading the digests. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table digests add column is_urgent boolean
      generated always as (coalesce(structured ->> 'urgency' = 'high', false)) stored
  `);
  await knex.raw(`
    create index digests_written on digests (user_id, digest_date, is_urgent, message_count)
    where summary <> '' and status <> 'SKIPPED' and (status <> 'FAILED' or reason = 'CRM_REFUSED')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index digests_written');
  await knex.raw('alter table digests drop column is_urgent');
}
