import type { Knex } from 'knex';

/** Subscriptions and events of the payment provider. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table subscriptions (
      subscription_id text primary key,
      -- Null until an event names the user: events arrive in any order
      user_id uuid references users on delete cascade,
      user_is_certain boolean not null default false,
      customer_id text,
      plan text check (plan in ('STARTER', 'PRO', 'ENTERPRISE')),
      price_id text,
      -- Order key of the event that set the plan; likewise status_version and period_version
      plan_version text not null default '',
      status text,
      ends_at timestamptz,
      status_version text not null default '',
      current_period_end timestamptz,
      period_version text not null default '',
      started_at timestamptz,
      last_event_at timestamptz,
      updated_at timestamptz not null default now(),
      is_live boolean not null generated always as (coalesce(status in ('active', 'trialing', 'past_due'), false)) stored
    );
    create index subscriptions_customer_id on subscriptions (customer_id);
    create index subscriptions_user_id on subscriptions (user_id);
    create table payment_events (
      id text primary key,
      type text not null,
      created_at timestamptz not null,
      received_at timestamptz not null default now()
    );
    create index payment_events_received_at on payment_events (received_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table payment_events, subscriptions');
}
