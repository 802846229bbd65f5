import type { Knex } from 'knex';

/** The address at which a person's calendar reads their promises: one each, and none until they ask for it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table calendar_feeds (
      user_id uuid primary key references users on delete cascade,
      token_hash text not null unique,
      hint text not null,
      created_at timestamptz not null,
      last_read_at timestamptz
    )
  `);
  await knex.raw(`comment on column calendar_feeds.hint is 'how its address begins, for its person to recognize'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table calendar_feeds');
}
