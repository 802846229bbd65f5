import type { Knex } from 'knex';

/** A sign-in at the messenger between its steps, so that each step may land on another process. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table messenger_logins (
      token_hash text primary key,
      user_id uuid not null references users on delete cascade,
      step text not null check (step in ('code', 'password', 'done')),
      sealed_state text,
      wrong_tries integer not null default 0,
      busy_until timestamptz,
      account_id uuid references messenger_accounts on delete cascade,
      expires_at timestamptz not null
    )
  `);
  await knex.raw('create index messenger_logins_expires_at on messenger_logins (expires_at)');
  await knex.raw('create index messenger_logins_user_id on messenger_logins (user_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table messenger_logins');
}
