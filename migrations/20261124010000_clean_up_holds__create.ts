import type { Knex } from 'knex';

/** Clean-ups that would delete unusually much. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table clean_up_holds (
      day date primary key,
      digests integer not null,
      promises integer not null,
      is_confirmed boolean not null default false
    )
  `);
  await knex.raw(`comment on table clean_up_holds is 'clean-ups that wait for the operator, by their day in UTC'`);
  await knex.raw(`comment on column clean_up_holds.digests is 'so many would be deleted, and promises likewise'`);
  await knex.raw(`comment on column clean_up_holds.is_confirmed is 'that many may be deleted on that day'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table clean_up_holds');
}
