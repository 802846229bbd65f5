import type { Knex } from 'knex';

/** Counters of rate limits shared by processes (the columns of rate-limiter-flexible). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits');
}
