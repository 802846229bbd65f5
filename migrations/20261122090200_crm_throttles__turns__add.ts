import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table crm_throttles add column turns timestamptz[] not null default '{}'`);
  await knex.raw(
    `comment on column crm_throttles.turns is 'of searches: when the newest of them may be sent, oldest first'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table crm_throttles drop column turns');
}
