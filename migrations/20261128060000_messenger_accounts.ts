import type { Knex } from 'knex';

/** Connected accounts, and sign-ins under way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table messenger_accounts (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      messenger_user_id text not null,
      phone text not null default '',
      first_name text not null default '',
      last_name text not null default '',
      username text not null default '',
      status text not null check (status in ('active', 'expired', 'banned', 'inactive')),
      credentials text,
      connected_at timestamptz not null,
      revoked_at timestamptz,
      last_used_at timestamptz,
      dialogs_listed_at timestamptz,
      flood_until timestamptz,
      call_rates jsonb not null default '{}',
      all_dialogs_listed_at timestamptz,
      dialogs_known_until timestamptz,
      unique (user_id, messenger_user_id),
      check ((status <> 'active') or (credentials is not null))
    );
    create table messenger_logins (
      token_hash text primary key,
      user_id uuid not null references users on delete cascade,
      step text not null check (step in ('scan', 'code', 'password', 'done')),
      sealed_state text,
      wrong_tries integer not null default 0,
      account_id uuid references messenger_accounts on delete cascade,
      expires_at timestamptz not null
    );
    create index messenger_logins_expires_at on messenger_logins (expires_at);
    create index messenger_logins_user_id on messenger_logins (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table messenger_logins, messenger_accounts');
}
