import type { Knex } from 'knex';

/** Answers that the model wrote. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table written_answers (
      user_id uuid not null references users on delete cascade,
      fingerprint text not null,
      -- Numbers of the passages sent to the model
      sent integer[] not null,
      sentences jsonb not null,
      written_at timestamptz not null,
      primary key (user_id, fingerprint)
    );
    create index written_answers_written_at on written_answers (written_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table written_answers');
}
