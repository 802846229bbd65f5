import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
      tracking_choice boolean,
      built_in_only boolean not null default false,
      top_message_id bigint not null default 0,
      last_message_at timestamptz,
      unread_count integer not null default 0,
      cursor_message_id bigint,
      last_synced_at timestamptz,
      match_status text not null default 'UNMATCHED' check (match_status in
        ('UNMATCHED', 'AUTO_PHONE', 'AUTO_USERNAME', 'AUTO_NAME', 'CONFIRMED', 'IGNORED', 'CREATED')),
      match_confidence numeric(3, 2) not null default 0,
      crm_contact_id text not null default '',
      crm_contact_name text,
      unique (account_id, peer_id)
    )
  `);
  await knex.raw('create index dialogs_user_id on dialogs (user_id, last_message_at desc nulls last)');
  await knex.raw(`comment on column dialogs.tracking_choice is 'the person''s own switch; null leaves it to the rule'`);
  await knex.raw(
    `comment on column dialogs.cursor_message_id is 'last message that stands in a digest; null before the first'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table dialogs');
}
