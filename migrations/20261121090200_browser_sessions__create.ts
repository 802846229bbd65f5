import type { Knex } from 'knex';

/** The layout connect-pg-simple expects: for what lives minutes, such as flash messages and the steps of a sign-in. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table browser_sessions (
      sid text primary key,
      sess json not null,
      expire timestamp(6) not null
    )
  `);
  await knex.raw('create index browser_sessions_expire on browser_sessions (expire)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table browser_sessions');
}
