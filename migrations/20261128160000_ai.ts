import type { Knex } from 'knex';

/** Requests to the model under way, and answers it wrote. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The requests to the AI service that are under way, where AI_CONCURRENCY limits them
    create table ai_places (
      place integer primary key,
      -- The process
      holder uuid not null,
      -- Renewed while the request lasts, so that a killed process frees it
      held_until timestamptz not null
    );
    create table written_answers (
      user_id uuid not null references users on delete cascade,
      fingerprint text not null,
      -- The numbers of the passages that the model was given
      sent integer[] not null,
      sentences jsonb not null,
      written_at timestamptz not null,
      primary key (user_id, fingerprint)
    );
    create index written_answers_written_at on written_answers (written_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table written_answers, ai_places');
}
