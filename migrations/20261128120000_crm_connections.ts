import type { Knex } from 'knex';

/** The CRM: connections, limits, required properties, deliveries. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_connections (
      user_id uuid primary key references users on delete cascade,
      status text not null default 'disconnected' check (status in ('active', 'expired', 'disconnected')),
      portal_id text not null default '',
      portal_name text not null default '',
      credentials text,
      expires_at timestamptz,
      properties_ready boolean not null default false,
      connected_at timestamptz,
      -- If off, even certain matches need a click before notes are written
      sure_matches_write boolean not null default true,
      name_matches_write boolean not null default false,
      -- Own promises with a due day become tasks
      tasks_write boolean not null default false,
      -- The subjects of tasks may quote people
      tasks_quote boolean not null default false,
      check ((status <> 'active') or (credentials is not null))
    );
    create index crm_connections_portal_id on crm_connections (portal_id);
    -- Serializes the calls of all processes to one CRM account
    create table crm_throttles (
      portal_id text not null,
      kind text not null check (kind in ('search', 'call')),
      next_at timestamptz not null,
      -- Reserved times of the newest calls, oldest first
      turns timestamptz[] not null default '{}',
      primary key (portal_id, kind)
    );
    create index crm_throttles_next_at on crm_throttles (next_at);
    create table crm_requirements (
      user_id uuid not null references users on delete cascade,
      portal_id text not null,
      object_type text not null check (object_type in ('contacts', 'notes', 'tasks')),
      name text not null,
      -- Label shown in the CRM; empty if unknown
      label text not null default '',
      -- Allowed values with labels; empty for any text
      options jsonb not null default '[]',
      -- False if records need different values
      may_fill boolean not null default true,
      -- Required of some records only
      is_conditional boolean not null default false,
      -- Value sent with every new record; empty until the user sets one
      value text not null default '',
      -- The CRM refused the value
      is_refused boolean not null default false,
      noticed_at timestamptz not null,
      primary key (user_id, portal_id, object_type, name)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table crm_requirements, crm_throttles, crm_connections');
}
