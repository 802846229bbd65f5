import type { Knex } from 'knex';

/** Short-lived sessions of express-session. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table browser_sessions (
      sid text primary key,
      sess json not null,
      expire timestamp(6) not null
    );
    create index browser_sessions_expire on browser_sessions (expire);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table browser_sessions');
}
