import type { Knex } from 'knex';

/** Accounts, their sessions and how they sign in. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid primary key default gen_random_uuid(),
      email text not null unique check (email = lower(email)),
      name text,
      created_at timestamptz not null default now()
    );
    create table user_sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      user_agent text not null default '',
      created_at timestamptz not null,
      expires_at timestamptz not null,
      -- To the hour: not every request writes it
      last_seen_at timestamptz not null default now()
    );
    create index user_sessions_expires_at on user_sessions (expires_at);
    create index user_sessions_user_id on user_sessions (user_id);
    create table sign_in_tokens (
      -- SHA-256, hex: only the mail contains the token
      token_hash text primary key,
      email text not null check (email = lower(email)),
      callback_url text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      -- Also set when another token of the address was used
      used_at timestamptz
    );
    create index sign_in_tokens_created_at on sign_in_tokens (created_at);
    create index sign_in_tokens_email on sign_in_tokens (email);
    create table closed_accounts (
      -- SHA-256 of the account's random id: recognizable, but not reversible
      account_hash text primary key,
      closed_at timestamptz not null
    );
    create index closed_accounts_closed_at on closed_accounts (closed_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table closed_accounts, sign_in_tokens, user_sessions, users');
}
