import type { Knex } from 'knex';

/** A token belongs to an address, not to a user: whoever opens a link may be somebody new. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sign_in_tokens (
      token_hash text primary key,
      email text not null check (email = lower(email)),
      callback_url text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )
  `);
  await knex.raw('create index sign_in_tokens_email on sign_in_tokens (email)');
  await knex.raw('create index sign_in_tokens_created_at on sign_in_tokens (created_at)');
  await knex.raw(`comment on column sign_in_tokens.token_hash is 'SHA-256, hex: the token itself is only in the mail'`);
  await knex.raw(`
    comment on column sign_in_tokens.used_at is 'also of those that ended because another one of the address was used'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sign_in_tokens');
}
