import type { Knex } from 'knex';

/** Whether the week comes by mail, on which day (ISO 8601: Monday is 1) and at which hour of the user's time zone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_configs
      add column week_mail boolean not null default false,
      add column week_mail_day smallint not null default 5 check (week_mail_day between 1 and 7),
      add column week_mail_hour smallint not null default 16 check (week_mail_hour between 0 and 23),
      add column week_mail_set_at timestamptz;
    create index sync_configs_week_mail on sync_configs (timezone, week_mail_day, week_mail_hour) where week_mail;
  `);
  await knex.raw(`comment on column sync_configs.week_mail_set_at is 'what was due before, nobody waits for'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sync_configs_week_mail;
    alter table sync_configs
      drop column week_mail, drop column week_mail_day, drop column week_mail_hour, drop column week_mail_set_at;
  `);
}
