import type { Knex } from 'knex';

/** New messages sound as if the promise was kept, but aren't certain: it stays open, and the person is asked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table promises add column is_doubtful boolean not null default false
      constraint promises_doubtful_open check (not is_doubtful or state = 'open')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table promises drop column is_doubtful');
}
