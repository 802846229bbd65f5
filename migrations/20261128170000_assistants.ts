import type { Knex } from 'knex';

/** Tokens of assistants, consent to them, and calendar feeds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table api_tokens (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null,
      scopes text[] not null,
      token_hash text not null unique,
      created_at timestamptz not null,
      -- Null if valid until revoked
      expires_at timestamptz,
      last_used_at timestamptz,
      uses jsonb not null default '[]',
      last_tool text,
      last_tool_at timestamptz
    );
    create index api_tokens_user on api_tokens (user_id, created_at);
    create table assistant_consents (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      -- Null once the token is revoked, which ends the consent
      grantee_id uuid references api_tokens on delete set null,
      dialog_id uuid references dialogs on delete cascade,
      assistant text not null,
      wording text not null,
      agreed_at timestamptz not null,
      ended_at timestamptz
    );
    create index assistant_consents_dialog on assistant_consents (dialog_id) where dialog_id is not null;
    create index assistant_consents_grantee_id on assistant_consents (grantee_id) where grantee_id is not null;
    create unique index assistant_consents_active on assistant_consents (grantee_id, coalesce(dialog_id, grantee_id))
      where ended_at is null and grantee_id is not null;
    create index assistant_consents_user on assistant_consents (user_id, agreed_at);
    create table calendar_feeds (
      user_id uuid primary key references users on delete cascade,
      token_hash text not null unique,
      -- Beginning of its address, for recognition
      hint text not null,
      created_at timestamptz not null,
      last_read_at timestamptz
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table calendar_feeds, assistant_consents, api_tokens');
}
