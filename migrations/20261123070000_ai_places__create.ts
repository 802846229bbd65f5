import type { Knex } from 'knex';

/** One row for each request to the AI service that is under way in any process. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ai_places (
      place integer primary key,
      holder uuid not null,
      held_until timestamptz not null
    )
  `);
  await knex.raw(
    `comment on table ai_places is 'the requests to the AI service that are under way, where AI_CONCURRENCY limits them'`,
  );
  await knex.raw(`comment on column ai_places.holder is 'the process'`);
  await knex.raw(
    `comment on column ai_places.held_until is 'renewed while the request lasts, so that a killed process frees it'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ai_places');
}
