import type { Knex } from 'knex';

/** A purchase begun before an account was deleted may be finished after it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table closed_accounts (
      account_hash text primary key,
      closed_at timestamptz not null
    )
  `);
  await knex.raw('create index closed_accounts_closed_at on closed_accounts (closed_at)');
  await knex.raw(`
    comment on column closed_accounts.account_hash is
      'SHA-256 of the random id the account had: it can be recognised when somebody names it, and not be found out'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table closed_accounts');
}
