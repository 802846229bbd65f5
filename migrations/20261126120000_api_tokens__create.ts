import type { Knex } from 'knex';

/** Tokens with which a person's programs and assistants read, and change, what the token's scopes name. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table api_tokens (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null,
      scopes text[] not null,
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz,
      last_used_at timestamptz
    )
  `);
  await knex.raw('create index api_tokens_user on api_tokens (user_id, created_at)');
  await knex.raw(`comment on column api_tokens.expires_at is 'null: when it is revoked'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table api_tokens');
}
