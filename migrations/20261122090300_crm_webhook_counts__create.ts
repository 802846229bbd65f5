import type { Knex } from 'knex';

/**
 * Only signed events are kept. What could not be verified is counted, one row an hour. The signed rows are set aside
 * and the table truncated: deleting what anybody could have sent may take hours, and gives no space back.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_webhook_counts (
      hour timestamptz primary key,
      refused bigint not null default 0,
      unverified bigint not null default 0
    )
  `);
  await knex.raw(`comment on column crm_webhook_counts.refused is 'deliveries whose signature was missing or wrong'`);
  await knex.raw(`comment on column crm_webhook_counts.unverified is 'deliveries taken while no CRM was configured'`);
  await knex.raw('lock table crm_webhook_events in access exclusive mode');
  await knex.raw(`
    create temporary table signed_events on commit drop as
    select event_type, portal_id, event_id, received_at from crm_webhook_events where signature = 'valid' order by id
  `);
  await knex.raw('truncate crm_webhook_events');
  await knex.raw('alter table crm_webhook_events drop column signature');
  await knex.raw(`
    insert into crm_webhook_events (event_type, portal_id, event_id, received_at)
    select event_type, portal_id, event_id, received_at from signed_events
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table crm_webhook_events add signature text not null default 'valid'
      check (signature in ('valid', 'invalid', 'missing', 'not_configured'))
  `);
  await knex.raw('alter table crm_webhook_events alter signature drop default');
  await knex.raw('drop table crm_webhook_counts');
}
