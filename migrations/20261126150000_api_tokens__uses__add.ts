import type { Knex } from 'knex';

/** How often a token was used in each hour of its last day, and which tool an assistant called last. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_tokens
      add column uses jsonb not null default '[]',
      add column last_tool text,
      add column last_tool_at timestamptz
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table api_tokens drop column uses, drop column last_tool, drop column last_tool_at');
}
