import type { Knex } from 'knex';

/** Conversations, their matches, and users' decisions about these. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Lower case, without accents, each Chinese or Japanese character a word of its own; 60 letters of a word at most.
    create function search_words(said text) returns text[] language sql immutable parallel safe as $$
      select array_remove(regexp_split_to_array(
        regexp_replace(
          regexp_replace(
            regexp_replace(
              translate(replace(lower(
                regexp_replace(normalize(left(said, 20000), NFKD), '[\u0300-\u036f]', '', 'g') collate "pg_c_utf8"
              ), 'ß', 'ss'), 'ıłøđς', 'ilodσ'),
              '([\u2e80-\u9fff\uf900-\ufaff])', ' \1 ', 'g'),
            '[^[:alnum:]]+', ' ', 'g'),
          '([[:alnum:]]{60})[[:alnum:]]+', '\1', 'g'),
        ' '), '')
    $$;
    create table dialogs (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      account_id uuid not null references messenger_accounts on delete cascade,
      peer_id text not null,
      peer_type text not null check (peer_type in ('user', 'group', 'supergroup', 'channel', 'bot')),
      peer_kind text not null check (peer_kind in ('user', 'chat', 'channel')),
      peer_key text not null,
      access_hash text not null default '',
      peer_name text not null default '',
      peer_username text not null default '',
      peer_phone text not null default '',
      unreadable text,
      -- The user's switch; null leaves it to the rule
      tracking_choice boolean,
      top_message_id bigint not null default 0,
      last_message_at timestamptz,
      unread_count integer not null default 0,
      -- Last message in a digest; null before the first
      cursor_message_id bigint,
      last_synced_at timestamptz,
      match_status text not null default 'UNMATCHED' check (match_status in ('UNMATCHED', 'AUTO_PHONE', 'AUTO_USERNAME', 'AUTO_NAME', 'CONFIRMED', 'IGNORED', 'CREATED')),
      match_confidence numeric(3,2) not null default 0,
      crm_contact_id text not null default '',
      crm_contact_name text,
      -- Ids under which the linked contact was known before it was merged into another
      merged_contact_ids text[] not null default '{}',
      -- Contacts are created only for people who wrote and were written to
      user_wrote boolean not null default false,
      peer_wrote boolean not null default false,
      match_rule text,
      match_decided_by text not null default 'rule' check (match_decided_by in ('rule', 'person')),
      match_evidence jsonb not null default '[]',
      -- Last known state of the linked contact
      match_contact jsonb,
      match_runner_up jsonb,
      match_suggestions jsonb not null default '[]',
      match_problem text check (match_problem in ('CONTACT_GONE', 'CONTACT_MERGED')),
      -- Null before the first search in the CRM
      match_evaluated_at timestamptz,
      search tsvector generated always as (array_to_tsvector(search_words(
        peer_name || ' ' || peer_username || ' ' || coalesce(crm_contact_name, '') || ' ' || coalesce(match_contact ->> 'company', '')
      ))) stored,
      -- Excludes CRM data, which assistants may not read
      own_search tsvector generated always as (array_to_tsvector(search_words(peer_name || ' ' || peer_username))) stored,
      -- Shown first on Today, in full
      is_pinned boolean not null default false,
      -- Read, but listed on Today only under everything
      is_muted boolean not null default false,
      namesakes smallint not null generated always as (case when match_status = 'UNMATCHED' and match_decided_by = 'rule' then jsonb_array_length(jsonb_path_query_array(
        match_suggestions, '$[*] \? (@.evidence[*].isSameName == true)'
      )) else 0 end) stored,
      -- Name keys for questions in other alphabets; updated whenever conversations are listed
      name_keys text[] not null default '{}',
      unique (account_id, peer_id),
      check (not (is_pinned and is_muted))
    );
    create index dialogs_crm_contact_id on dialogs (user_id, crm_contact_id) where crm_contact_id <> '';
    create index dialogs_match_problem on dialogs (user_id) where match_problem is not null;
    create index dialogs_muted on dialogs (user_id, id) where is_muted;
    create index dialogs_pinned on dialogs (user_id, id) where is_pinned;
    create index dialogs_user_id on dialogs (user_id, last_message_at desc nulls last);
    create table match_decisions (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity,
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      action text not null,
      -- Decisions made and undone together
      batch_id uuid,
      before jsonb not null,
      decided_at timestamptz not null,
      undone_at timestamptz
    );
    create index match_decisions_dialog_id on match_decisions (dialog_id, number desc);
    create index match_decisions_user_id on match_decisions (user_id);
    create table rejected_matches (
      dialog_id uuid not null references dialogs on delete cascade,
      crm_contact_id text not null,
      user_id uuid not null references users on delete cascade,
      rejected_at timestamptz not null,
      primary key (dialog_id, crm_contact_id)
    );
    create index rejected_matches_user_id on rejected_matches (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rejected_matches, match_decisions, dialogs; drop function search_words');
}
