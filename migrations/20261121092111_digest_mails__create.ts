import type { Knex } from 'knex';

/** The newest daily digest of each user that was, or is being, sent by mail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table digest_mails (
      user_id uuid primary key references users on delete cascade,
      day date not null,
      message_id uuid not null,
      claimed_until timestamptz not null,
      state text not null check (state in ('sending', 'sent', 'refused'))
    )
  `);
  await knex.raw(`comment on column digest_mails.claimed_until is 'while it is being sent, nobody else sends it'`);
  await knex.raw(`comment on column digest_mails.message_id is 'stays over every try, so that mail programs show one'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table digest_mails');
}
