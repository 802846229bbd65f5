import type { Knex } from 'knex';

/** The newest mail of each kind, not only of daily digests, that was, or is being, sent to each user. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table digest_mails rename to sent_mails;
    alter table sent_mails add column kind text not null default 'digest' check (kind in ('digest', 'week'));
    alter table sent_mails drop constraint digest_mails_pkey, add primary key (user_id, kind);
    alter table sent_mails alter column kind drop default;
  `);
  await knex.raw(`comment on column sent_mails.day is 'the day it is of; of a mail of a week its Monday'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from sent_mails where kind <> 'digest';
    alter table sent_mails drop constraint sent_mails_pkey, add constraint digest_mails_pkey primary key (user_id);
    alter table sent_mails drop column kind;
    alter table sent_mails rename to digest_mails;
  `);
}
