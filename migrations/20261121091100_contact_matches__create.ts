import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table contact_matches (
      dialog_id uuid primary key references dialogs on delete cascade,
      user_id uuid not null references users on delete cascade,
      rule text,
      decided_by text not null check (decided_by in ('rule', 'person')),
      evidence jsonb not null default '[]',
      contact jsonb,
      runner_up jsonb,
      suggestions jsonb not null default '[]',
      trouble text check (trouble in ('CONTACT_GONE', 'CONTACT_MERGED')),
      evaluated_at timestamptz not null
    )
  `);
  await knex.raw('create index contact_matches_user_id on contact_matches (user_id)');
  await knex.raw(`comment on table contact_matches is 'why a conversation is matched as it is'`);
  await knex.raw(`
    create table rejected_matches (
      dialog_id uuid not null references dialogs on delete cascade,
      crm_contact_id text not null,
      user_id uuid not null references users on delete cascade,
      rejected_at timestamptz not null,
      primary key (dialog_id, crm_contact_id)
    )
  `);
  await knex.raw('create index rejected_matches_user_id on rejected_matches (user_id)');
  await knex.raw(`
    create table match_decisions (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity,
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      action text not null,
      batch_id uuid,
      before jsonb not null,
      decided_at timestamptz not null,
      undone_at timestamptz
    )
  `);
  await knex.raw('create index match_decisions_dialog_id on match_decisions (dialog_id, number desc)');
  await knex.raw('create index match_decisions_user_id on match_decisions (user_id)');
  await knex.raw(`comment on column match_decisions.batch_id is 'decided together, undone together'`);
  await knex.raw(`
    alter table dialogs
      add column user_wrote boolean not null default false,
      add column peer_wrote boolean not null default false
  `);
  await knex.raw(
    `comment on column dialogs.user_wrote is 'seen in a digest: only who was written to and wrote is created in the CRM'`,
  );
  await knex.raw(`create index dialogs_crm_contact_id on dialogs (user_id, crm_contact_id) where crm_contact_id <> ''`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index dialogs_crm_contact_id');
  await knex.raw('alter table dialogs drop column user_wrote, drop column peer_wrote');
  await knex.raw('drop table match_decisions, rejected_matches, contact_matches');
}
