import type { Knex } from 'knex';

/** Mails of days and weeks. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sent_mails (
      user_id uuid not null references users on delete cascade,
      -- The day it is of; of a mail of a week its Monday
      day date not null,
      -- Stays over every try, so that mail programs show one
      message_id uuid not null,
      state text not null check (state in ('sending', 'sent', 'refused')),
      kind text not null check (kind in ('digest', 'week')),
      -- Until when the newest mail of its kind that was sent tells what happened; stays while the next one is being sent
      told_until timestamptz,
      primary key (user_id, kind)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sent_mails');
}
