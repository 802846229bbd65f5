import type { Knex } from 'knex';

/** A tick is one statement instead of a transaction of six: whoever ticks waits for the database once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function set_tick(wanted_user uuid, wanted_digest uuid, wanted_item text, done timestamptz)
    returns setof digests language plpgsql as $$
    declare
      digest digests;
    begin
      select * into digest from digests where user_id = wanted_user and id = wanted_digest for no key update;
      if not exists (
        select from jsonb_path_query(digest.structured, 'lax $.actionItems[*]') as item where item ->> 'id' = wanted_item
      ) then
        return;
      end if;
      if done is null then
        delete from action_ticks
        where user_id = wanted_user and dialog_id = digest.dialog_id and item_id = wanted_item;
      else
        insert into action_ticks (user_id, dialog_id, item_id, done_at)
        values (wanted_user, digest.dialog_id, wanted_item, done) on conflict do nothing;
      end if;
      perform refresh_open_items(digest);
      return next digest;
    end $$
  `);
  await knex.raw(
    `comment on function set_tick is 'ticks an action item, or opens it again without a time; the digest with it, or no row'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function set_tick(uuid, uuid, text, timestamptz)');
}
