import type { Knex } from 'knex';

/** What was left to the built-in summarizer stays that way; all others are asked before a model reads anything. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table writer_choices (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      account_id uuid not null references messenger_accounts on delete cascade,
      dialog_id uuid references dialogs on delete cascade,
      writer text not null check (writer in ('built-in', 'model', 'operator')),
      model text,
      host text,
      wording text not null,
      chosen_at timestamptz not null,
      ended_at timestamptz,
      end_reason text check (end_reason in ('taken back', 'replaced', 'disconnected')),
      check ((writer = 'model') = (model is not null) and (model is null) = (host is null)),
      check ((ended_at is null) = (end_reason is null)),
      check (writer <> 'operator' or dialog_id is null)
    )
  `);
  await knex.raw(`
    create unique index writer_choices_account_id on writer_choices (account_id)
      where ended_at is null and dialog_id is null
  `);
  await knex.raw('create unique index writer_choices_dialog_id on writer_choices (dialog_id) where ended_at is null');
  await knex.raw('create index writer_choices_user_id on writer_choices (user_id)');
  await knex.raw(`
    comment on table writer_choices is
      'who may write the digests of an account, or of one of its conversations, in the words the person saw'
  `);
  const wording = `'Chosen before the wording was stored: summaries only by this server.'`;
  await knex.raw(`
    insert into writer_choices (user_id, account_id, writer, wording, chosen_at)
    select user_id, id, 'built-in', ${wording}, now() from messenger_accounts where built_in_only
  `);
  await knex.raw(`
    insert into writer_choices (user_id, account_id, dialog_id, writer, wording, chosen_at)
    select user_id, account_id, id, 'built-in', ${wording}, now() from dialogs where built_in_only
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table writer_choices');
}
