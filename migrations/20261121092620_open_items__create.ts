import type { Knex } from 'knex';

/**
 * Digests keep their items as jsonb, and in time there are a hundred thousand of them: open items have rows of their
 * own. The database itself keeps them up to date, whoever writes a digest; a tick calls the same function.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table open_items (
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      item_id text not null,
      digest_id uuid not null references digests on delete cascade,
      digest_date date not null,
      is_user boolean not null,
      due_date text,
      primary key (dialog_id, item_id)
    )
  `);
  await knex.raw(`
    create index open_items_in_order on open_items (user_id, is_user desc, due_date nulls last, digest_date, item_id)
  `);
  await knex.raw('create index open_items_digest_id on open_items (digest_id)');
  await knex.raw(`comment on table open_items is 'the action items of digests that nobody ticked'`);
  await knex.raw(`
    create function refresh_open_items(digest digests) returns void language plpgsql as $$
    begin
      delete from open_items where digest_id = digest.id;
      insert into open_items (user_id, dialog_id, item_id, digest_id, digest_date, is_user, due_date)
      select distinct on (item ->> 'id') digest.user_id, digest.dialog_id, item ->> 'id', digest.id,
        digest.digest_date, coalesce(item ->> 'owner' = 'user', false), item ->> 'dueDate'
      from jsonb_path_query(digest.structured, 'lax $.actionItems[*]') as item
      where item ->> 'id' is not null and not exists (
        select from action_ticks where dialog_id = digest.dialog_id and item_id = item ->> 'id')
      on conflict (dialog_id, item_id) do update set digest_id = excluded.digest_id,
        digest_date = excluded.digest_date, is_user = excluded.is_user, due_date = excluded.due_date
      where open_items.digest_date <= excluded.digest_date;
    end $$
  `);
  await knex.raw(`
    create function digests_refresh_open_items() returns trigger language plpgsql as $$
    begin
      perform refresh_open_items(new);
      return null;
    end $$
  `);
  await knex.raw(`
    create trigger open_items_of_new after insert on digests
      for each row when (new.structured is not null) execute function digests_refresh_open_items()
  `);
  await knex.raw(`
    create trigger open_items_of_changed after update of structured, digest_date on digests
      for each row when (new.structured is distinct from old.structured or new.digest_date <> old.digest_date)
      execute function digests_refresh_open_items()
  `);
  await knex.raw('select refresh_open_items(digests) from digests where structured is not null order by digest_date');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger open_items_of_new on digests');
  await knex.raw('drop trigger open_items_of_changed on digests');
  await knex.raw('drop function digests_refresh_open_items()');
  await knex.raw('drop function refresh_open_items(digests)');
  await knex.raw('drop table open_items');
}
