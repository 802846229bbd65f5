import type { Knex } from 'knex';

/** Settings of a user, and progress of onboarding. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_configs (
      user_id uuid primary key references users on delete cascade,
      sync_time text not null,
      timezone text not null,
      include_groups boolean not null,
      min_messages integer not null check (min_messages >= 1),
      summary_style text not null check (summary_style in ('BUSINESS', 'DETAILED', 'MINIMAL')),
      auto_create_contacts boolean not null,
      updated_at timestamptz not null default now(),
      next_sync_at timestamptz,
      -- Calendar day of that run, which may fall on the next day if the clocks skip its time
      next_sync_day date,
      last_sync_day date,
      mail_digests text not null default 'OFF' check (mail_digests in ('OFF', 'ALWAYS', 'URGENT')),
      waiting_days smallint not null default 1 check (waiting_days in (1, 2, 3, 7)),
      week_mail boolean not null default false,
      week_mail_day smallint not null default 5 check ((week_mail_day >= 1) and (week_mail_day <= 7)),
      week_mail_hour smallint not null default 16 check ((week_mail_hour >= 0) and (week_mail_hour <= 23)),
      -- Mails due before this moment are not sent
      week_mail_set_at timestamptz,
      -- ISO 639-1; empty for each conversation's own
      digest_language text not null default '',
      -- ISO 639-1; empty for each conversation's own
      crm_language text not null default '',
      check ((next_sync_at is null) = (next_sync_day is null))
    );
    create index sync_configs_next_sync_at on sync_configs (next_sync_at);
    create index sync_configs_week_mail on sync_configs (timezone, week_mail_day, week_mail_hour) where week_mail;
    create table onboardings (
      user_id uuid primary key references users on delete cascade,
      begun_at timestamptz not null,
      -- When the user postponed connecting the CRM
      crm_later_at timestamptz,
      finished_at timestamptz
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table onboardings, sync_configs');
}
