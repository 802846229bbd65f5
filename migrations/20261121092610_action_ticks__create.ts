import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table action_ticks (
      user_id uuid not null references users on delete cascade,
      dialog_id uuid not null references dialogs on delete cascade,
      item_id text not null,
      done_at timestamptz not null,
      primary key (dialog_id, item_id)
    )
  `);
  await knex.raw('create index action_ticks_user_id on action_ticks (user_id)');
  await knex.raw(`
    comment on table action_ticks is
      'what a person ticked: apart from the digests, whose items keep their ids when a day is written again'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table action_ticks');
}
