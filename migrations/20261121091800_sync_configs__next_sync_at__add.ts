import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_configs
      add column next_sync_at timestamptz,
      add column next_sync_day date,
      add column last_sync_day date,
      add constraint sync_configs_next_sync check ((next_sync_at is null) = (next_sync_day is null))
  `);
  await knex.raw('create index sync_configs_next_sync_at on sync_configs (next_sync_at)');
  await knex.raw(`
    comment on column sync_configs.next_sync_day is
      'the calendar day that run is the one of: a time that is missing on it can fall on the next day'
  `);
  await knex.raw(`
    insert into sync_configs
      (user_id, sync_time, timezone, include_groups, min_messages, summary_style, auto_create_contacts)
    select distinct user_id, '18:00', 'UTC', false, 1, 'BUSINESS', false from messenger_accounts
    on conflict do nothing
  `);
  // An approximation, until tomorrow's run sets it to the minute.
  await knex.raw(`
    update sync_configs set next_sync_day = day, next_sync_at = (day + sync_time::time) at time zone zone
    from (
      select user_id as owner, zone, (now() at time zone zone)::date + 1 as day
      from (
        select user_id, case when exists (select 1 from pg_timezone_names where name = timezone)
          then timezone else 'UTC' end as zone
        from sync_configs
      ) zones
    ) runs
    where runs.owner = sync_configs.user_id
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_configs drop column next_sync_at, drop column next_sync_day, drop column last_sync_day
  `);
}
