import type { Knex } from 'knex';

const LIVE = `where state in ('open', 'snoozed') and words <> ''`;
const AGENDA = `create index promises_agenda on promises (user_id, direction, coalesce(due_date, 'infinity'), due_time, id)`;
const KEPT_COLUMNS = 'dialog_id, state, snoozed_until, due_date, last_digest_id, last_said_on';
const WEEK = `create index promises_week on promises (user_id, coalesce(due_date, 'infinity'))`;
const WEEK_COLUMNS = 'direction, state, snoozed_until, changed_by, due_date';
const IN_WEEK = `where state in ('open', 'snoozed', 'done') and words <> ''`;

/**
 * People add promises and edit them, appointments and deadlines are told apart from promises, and a closed one says why.
 * The indexes from which open promises are counted hold the kind, too.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table promises
      add column kind text not null default 'promise' check (kind in ('promise', 'appointment', 'deadline')),
      add column is_added boolean not null default false,
      add column edited text[] not null default '{}' check (edited <@ array['words', 'due', 'side', 'kind']),
      add column reason text check (reason in ('answered', 'handedOver', 'replaced', 'past')),
      add column replaced_by uuid references promises on delete set null
  `);
  await knex.raw(`comment on column promises.is_added is 'by its person, not by a digest'`);
  await knex.raw(`comment on column promises.edited is 'what its person wrote: no later reading changes it'`);
  await knex.raw(`comment on column promises.reason is 'why it is closed, where its state does not say so'`);
  await knex.raw('create index promises_replaced_by on promises (replaced_by) where replaced_by is not null');
  await knex.raw(`
    create index promises_past on promises (due_date) where kind <> 'promise' and state in ('open', 'snoozed')
  `);
  await knex.raw('drop index if exists promises_agenda');
  await knex.raw(`${AGENDA} include (${KEPT_COLUMNS}, kind) ${LIVE}`);
  await knex.raw('drop index if exists promises_week');
  await knex.raw(`${WEEK} include (${WEEK_COLUMNS}, kind) ${IN_WEEK}`);
  // Everything that was closed lately is listed, whatever closed it: `promises_changed_at` serves that.
  await knex.raw('drop index if exists promises_closed_index');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `create index promises_closed_index on promises (user_id, changed_at desc) where changed_by = 'automatic'`,
  );
  await knex.raw('drop index if exists promises_week');
  await knex.raw(`${WEEK} include (${WEEK_COLUMNS}) ${IN_WEEK}`);
  await knex.raw('drop index if exists promises_agenda');
  await knex.raw(`${AGENDA} include (${KEPT_COLUMNS}) ${LIVE}`);
  await knex.raw('drop index promises_past');
  await knex.raw('drop index promises_replaced_by');
  await knex.raw(`
    alter table promises drop column kind, drop column is_added, drop column edited, drop column reason,
      drop column replaced_by
  `);
}
