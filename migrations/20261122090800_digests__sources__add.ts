import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table digests add column sources jsonb, add column first_message_at timestamptz');
  await knex.raw(`
    comment on column digests.sources is
      'where in the summary each sentence stands and on which messages it rests, with who sent them and when: no text'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table digests drop column sources, drop column first_message_at');
}
