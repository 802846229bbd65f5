import type { Knex } from 'knex';

/**
 * A promise quoted before its person agreed to a model stays on this server. Those that the built-in summarizer wrote so
 * far may quote, too, as may those whose digest is no longer kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table promises add column quoted_at timestamptz');
  await knex.raw(`
    comment on column promises.quoted_at is
      'when this server first took its words from a message; null where a model or its person worded it'
  `);
  await knex.raw(`
    update promises p set quoted_at = now() where not p.is_added and not exists (
      select from digests d where d.id = p.last_digest_id and d.engine <> 'built-in')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table promises drop column quoted_at');
}
