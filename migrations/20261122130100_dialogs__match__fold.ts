import type { Knex } from 'knex';

/** A match is stored once, in its conversation's row: the link was already there, and now the reason is beside it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs drop column search');
  await knex.raw(`
    alter table dialogs
      add column match_rule text,
      add column match_decided_by text not null default 'rule' check (match_decided_by in ('rule', 'person')),
      add column match_evidence jsonb not null default '[]',
      add column match_contact jsonb,
      add column match_runner_up jsonb,
      add column match_suggestions jsonb not null default '[]',
      add column match_trouble text check (match_trouble in ('CONTACT_GONE', 'CONTACT_MERGED')),
      add column match_evaluated_at timestamptz
  `);
  await knex.raw(`
    update dialogs set match_rule = m.rule, match_decided_by = m.decided_by, match_evidence = m.evidence,
      match_contact = m.contact, match_runner_up = m.runner_up, match_suggestions = m.suggestions,
      match_trouble = m.trouble, match_evaluated_at = m.evaluated_at
    from contact_matches m where m.dialog_id = dialogs.id
  `);
  await knex.raw('drop table contact_matches');
  await knex.raw(`
    alter table dialogs add column search tsvector generated always as (
      array_to_tsvector(search_words(peer_name || ' ' || peer_username || ' ' || coalesce(crm_contact_name, '') || ' ' ||
        coalesce(match_contact ->> 'company', '')))) stored
  `);
  await knex.raw('create index dialogs_match_trouble on dialogs (user_id) where match_trouble is not null');
  await knex.raw(`comment on column dialogs.match_contact is 'the linked contact as it was last seen'`);
  await knex.raw(`comment on column dialogs.match_evaluated_at is 'null before the first look into the CRM'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs drop column search');
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
    insert into contact_matches
    select id, user_id, match_rule, match_decided_by, match_evidence, match_contact, match_runner_up, match_suggestions,
      match_trouble, match_evaluated_at
    from dialogs where match_evaluated_at is not null
  `);
  await knex.raw(`
    alter table contact_matches add column search tsvector generated always as (
      array_to_tsvector(search_words(coalesce(contact ->> 'company', '')))) stored
  `);
  await knex.raw(`
    alter table dialogs drop column match_rule, drop column match_decided_by, drop column match_evidence,
      drop column match_contact, drop column match_runner_up, drop column match_suggestions, drop column match_trouble,
      drop column match_evaluated_at
  `);
  await knex.raw(`
    alter table dialogs add column search tsvector generated always as (
      array_to_tsvector(search_words(peer_name || ' ' || peer_username || ' ' || coalesce(crm_contact_name, '')))) stored
  `);
}
