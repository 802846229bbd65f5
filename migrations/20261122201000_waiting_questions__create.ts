import type { Knex } from 'knex';

/** Unanswered questions to a user; the code that stores a digest, or a day too quiet for one, keeps them up to date. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table waiting_questions (
      dialog_id uuid not null references dialogs on delete cascade,
      message_id bigint not null,
      user_id uuid not null references users on delete cascade,
      asked_at timestamptz not null,
      words text not null,
      dismissed_at timestamptz,
      primary key (dialog_id, message_id)
    )
  `);
  await knex.raw(`comment on table waiting_questions is 'asked of the user in a conversation, and not answered'`);
  await knex.raw(`comment on column waiting_questions.words is 'as the digest tells it, or a short quotation'`);
  await knex.raw(`comment on column waiting_questions.dismissed_at is 'the person said that no answer is needed'`);
  await knex.raw('create index waiting_questions_user_id on waiting_questions (user_id, asked_at)');
  await knex.raw('create index waiting_questions_asked_at on waiting_questions (asked_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table waiting_questions');
}
