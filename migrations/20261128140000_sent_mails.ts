import type { Knex } from 'knex';

/** Mails of days and weeks. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sent_mails (
      user_id uuid not null references users on delete cascade,
      -- Day of the mail; Monday for a weekly one
      day date not null,
      -- Same for every try, so that mail programs show one mail
      message_id uuid not null,
      state text not null check (state in ('sending', 'sent', 'refused')),
      kind text not null check (kind in ('digest', 'week')),
      -- End of the period covered by the newest sent mail; kept while the next is being sent
      covers_until timestamptz,
      primary key (user_id, kind)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sent_mails');
}
