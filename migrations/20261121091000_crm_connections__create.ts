import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table crm_connections (
      user_id uuid primary key references users on delete cascade,
      status text not null default 'disconnected' check (status in ('active', 'expired', 'disconnected')),
      portal_id text not null default '',
      portal_name text not null default '',
      credentials text,
      expires_at timestamptz,
      refresh_owner uuid,
      refresh_until timestamptz,
      properties_ready boolean not null default false,
      connected_at timestamptz,
      sure_matches_write boolean not null default true,
      name_matches_write boolean not null default false,
      check (status <> 'active' or credentials is not null)
    )
  `);
  await knex.raw(`
    comment on column crm_connections.sure_matches_write is 'off: even sure matches wait for a click before a note is written'
  `);
  await knex.raw(`
    comment on column crm_connections.refresh_until is
      'until then refresh_owner alone asks for new tokens; later it is taken for dead'
  `);
  await knex.raw(`
    create table crm_throttles (
      portal_id text not null,
      kind text not null check (kind in ('search', 'call')),
      next_at timestamptz not null,
      primary key (portal_id, kind)
    )
  `);
  await knex.raw(`comment on table crm_throttles is 'one line for the calls of all processes to one CRM account'`);
  await knex.raw(`
    create table crm_webhook_events (
      id bigint generated always as identity primary key,
      event_type text not null,
      portal_id text not null default '',
      event_id text not null default '',
      signature text not null check (signature in ('valid', 'invalid', 'missing', 'not_configured')),
      received_at timestamptz not null default now()
    )
  `);
  await knex.raw('create index crm_webhook_events_received_at on crm_webhook_events (received_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table crm_webhook_events, crm_throttles, crm_connections');
}
