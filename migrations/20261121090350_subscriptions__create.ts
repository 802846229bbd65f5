import type { Knex } from 'knex';

/** The plan somebody pays for. No row, or one that is over, means STARTER. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table subscriptions (
      user_id uuid primary key references users on delete cascade,
      plan text not null check (plan in ('STARTER', 'PRO', 'ENTERPRISE')),
      is_live boolean not null,
      current_period_end timestamptz,
      updated_at timestamptz not null default now()
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table subscriptions');
}
