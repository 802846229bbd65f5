import type { Knex } from 'knex';

/** Consent to writers of digests. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Permitted writer of an account's or a conversation's digests, with the wording shown
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
      -- Version of the consent text that was read
      terms smallint not null default 1,
      check (((writer = 'model') = (model is not null)) and ((model is null) = (host is null))),
      check ((ended_at is null) = (end_reason is null)),
      check ((writer <> 'operator') or (dialog_id is null))
    );
    create unique index writer_choices_account_id on writer_choices (account_id) where ended_at is null and dialog_id is null;
    create unique index writer_choices_dialog_id on writer_choices (dialog_id) where ended_at is null;
    create index writer_choices_user_id on writer_choices (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table writer_choices');
}
