import type { Knex } from 'knex';

/**
 * The sentences that a model wrote over the passages of an answer or a brief, so that the same is not asked twice. The key
 * is a fingerprint (SHA-256) of the question and all passages: another row is asked for as soon as one of them changes. Kept for days only.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table written_answers (
      user_id uuid not null references users on delete cascade,
      fingerprint text not null,
      sent integer[] not null,
      sentences jsonb not null,
      written_at timestamptz not null,
      primary key (user_id, fingerprint)
    )
  `);
  await knex.raw('create index written_answers_written_at on written_answers (written_at)');
  await knex.raw(`comment on column written_answers.sent is 'the numbers of the passages that the model was given'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table written_answers');
}
