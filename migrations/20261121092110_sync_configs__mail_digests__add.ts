import type { Knex } from 'knex';

/** Whether the day's digest also comes by mail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_configs
      add column mail_digests text not null default 'OFF' check (mail_digests in ('OFF', 'ALWAYS', 'URGENT'))
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sync_configs drop column mail_digests');
}
