import type { Knex } from 'knex';

const OPEN = `state in ('open', 'snoozed')`;

/** A day as it was written; one that doesn't exist, such as 30 February, is counted from the first of its month. */
const DUE_DATE = `case when item ->> 'dueDate' ~ '^[12]\\d{3}-(0[1-9]|1[0-2])-[0-3]\\d$'
  then (left(item ->> 'dueDate', 7) || '-01')::date + right(item ->> 'dueDate', 2)::int - 1 end`;

/**
 * Each item that a digest found to do becomes a row of its own, a promise, with a state. Open and ticked items move
 * there; the code that writes a digest keeps it up to date, not a trigger.
 */
export async function up(knex: Knex): Promise<void> {
  await createPromises(knex);
  await carryOver(knex);
  for (const statement of INDEXES) await knex.raw(statement);
  await knex.raw('drop trigger open_items_of_new on digests');
  await knex.raw('drop trigger open_items_of_changed on digests');
  await knex.raw('drop function digests_refresh_open_items()');
  await knex.raw('drop function set_tick(uuid, uuid, text, timestamptz)');
  await knex.raw('drop function refresh_open_items(digests)');
  await knex.raw('drop table open_items');
  await knex.raw('drop table action_ticks');
  // With one column and no table of its own, it is inlined into the statement that joins it.
  await knex.raw(`
    create function settled_items(owner uuid, dialog uuid, said jsonb) returns table (ticked text[])
    language sql stable parallel safe rows 1 as $$
      select array(
        select item ->> 'id' from jsonb_path_query(said, 'lax $.actionItems[*]') as item
        cross join lateral (
          select from promises where dialog_id = dialog and item_id = item ->> 'id' and user_id = owner
            and state in ('done', 'cancelled', 'dismissed') limit 1
        ) as settled)
    $$
  `);
  await knex.raw(`comment on function settled_items is 'the ids of the action items of a digest that are done with'`);
}

async function createPromises(knex: Knex): Promise<void> {
  await knex.raw(`
    create table promises (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      item_id text not null,
      first_digest_id uuid references digests on delete set null,
      last_digest_id uuid references digests on delete set null,
      first_said_on date not null,
      last_said_on date not null,
      direction text not null check (direction in ('mine', 'theirs', 'unassigned')),
      who text,
      words text not null,
      due_date date,
      due_time text,
      due_text text,
      source_message_ids text[] not null default '{}',
      state text not null default 'open'
        check (state in ('open', 'done', 'cancelled', 'dismissed', 'snoozed', 'withdrawn')),
      snoozed_until date check ((state = 'snoozed') = (snoozed_until is not null)),
      moved_from date,
      changed_by text check (changed_by in ('person', 'automatic')),
      changed_at timestamptz not null,
      evidence jsonb,
      previous jsonb,
      is_touched boolean not null default false,
      undone_message_ids text[] not null default '{}',
      unique (dialog_id, item_id)
    )
  `);
  await knex.raw(`comment on table promises is 'what somebody is to do, as digests found it, and what became of it'`);
  await knex.raw(`comment on column promises.item_id is 'of the action item, in each digest that says it'`);
  await knex.raw(`comment on column promises.is_touched is 'a decision of the person stands; no rule changes it'`);
  await knex.raw(`comment on column promises.previous is 'what the last change replaced, for its undo'`);
  await knex.raw(
    `comment on column promises.undone_message_ids is 'the person took back what was concluded from these messages'`,
  );
}

/**
 * Every item of a digest is open or ticked. If no digest has a ticked item any more, only the id of the item is known:
 * the tick is kept without words, in case a digest has the item again.
 */
async function carryOver(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into promises (user_id, dialog_id, item_id, first_digest_id, last_digest_id, first_said_on, last_said_on,
      direction, who, words, due_date, due_time, due_text, source_message_ids, state, changed_by, changed_at, previous,
      is_touched)
    with said as (
      select distinct on (dialog_id, item ->> 'id') user_id, dialog_id, item ->> 'id' as item_id, item,
        first_value(digests.id) over of_item as first_digest_id, digests.id as last_digest_id,
        first_value(digest_date) over of_item as first_said_on, digest_date as last_said_on, updated_at
      from digests cross join lateral jsonb_path_query(structured, 'lax $.actionItems[*]') as item
      where item ->> 'id' is not null
      window of_item as (partition by dialog_id, item ->> 'id' order by digest_date)
      order by dialog_id, item ->> 'id', digest_date desc
    )
    select user_id, dialog_id, item_id, first_digest_id, last_digest_id, coalesce(first_said_on, done_at::date),
      coalesce(last_said_on, done_at::date),
      case item ->> 'owner' when 'user' then 'mine' when 'contact' then 'theirs' else 'unassigned' end,
      item ->> 'ownerName', coalesce(item ->> 'text', ''), ${DUE_DATE}, item ->> 'dueTime', item ->> 'dueText',
      array(select id #>> '{}' from jsonb_path_query(item, 'lax $.sourceMessageIds[*]') as id where id <> 'null'),
      case when done_at is null then 'open' else 'done' end, case when done_at is not null then 'person' end,
      coalesce(done_at, updated_at),
      case when done_at is not null then jsonb_build_object('state', 'open', 'isTouched', false) end, done_at is not null
    from said full join action_ticks using (user_id, dialog_id, item_id)
  `);
}

const INDEXES = [
  `create index promises_open on promises (user_id, coalesce(due_date, 'infinity'), id) where ${OPEN}`,
  `create index promises_open_in_order on promises
     (user_id, (direction = 'mine') desc, due_date nulls last, last_said_on, item_id) where ${OPEN}`,
  `create index promises_state on promises (user_id, state, coalesce(due_date, 'infinity'), id)`,
  `create index promises_dialog on promises (dialog_id, state, last_said_on desc, item_id)`,
  'create index promises_first_digest_id on promises (first_digest_id)',
  'create index promises_last_digest_id on promises (last_digest_id)',
  'create index promises_last_said_on on promises (last_said_on)',
];

/** The earlier tables have no snoozed, dismissed or withdrawn promises: these become ticked, or open. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table action_ticks (
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      item_id text not null,
      done_at timestamptz not null,
      primary key (dialog_id, item_id)
    )
  `);
  await knex.raw(`
    comment on table action_ticks is
      'what a person ticked: apart from the digests, whose items keep their ids when a day is written again'
  `);
  await knex.raw(`
    insert into action_ticks select user_id, dialog_id, item_id, changed_at from promises
    where state in ('done', 'cancelled', 'dismissed')
  `);
  await knex.raw('create index action_ticks_user_id on action_ticks (user_id)');
  await knex.raw('create index action_ticks_done_at on action_ticks (done_at)');
  await knex.raw('drop function settled_items(uuid, uuid, jsonb)');
  await knex.raw('drop table promises');
  await createOpenItems(knex);
}

async function createOpenItems(knex: Knex): Promise<void> {
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
  await createTriggers(knex);
  await knex.raw('select refresh_open_items(digests) from digests where structured is not null order by digest_date');
}

async function createTriggers(knex: Knex): Promise<void> {
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
