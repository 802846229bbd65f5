import type { Knex } from 'knex';

/** Two choices the person can make about a conversation, at most one of them at a time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table dialogs add column is_pinned boolean not null default false,
      add column is_muted boolean not null default false,
      add constraint dialogs_pinned_or_muted check (not (is_pinned and is_muted))
  `);
  await knex.raw(`comment on column dialogs.is_pinned is 'always first on Today, and in full'`);
  await knex.raw(`comment on column dialogs.is_muted is 'read, but on Today only in the list of everything'`);
  await knex.raw('create index dialogs_pinned on dialogs (user_id, id) where is_pinned');
  await knex.raw('create index dialogs_muted on dialogs (user_id, id) where is_muted');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs drop column is_pinned, drop column is_muted');
}
