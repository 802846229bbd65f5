import type { Knex } from 'knex';

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
      built_in_only boolean not null default false,
      lease_owner uuid,
      lease_until timestamptz,
      unique (user_id, messenger_user_id),
      check (status <> 'active' or credentials is not null)
    )
  `);
  await knex.raw(`
    comment on column messenger_accounts.lease_owner is
      'who has the one connection of this session open: the messenger kills a session used from two places'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table messenger_accounts');
}
