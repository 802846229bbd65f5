import type { Knex } from 'knex';

/** When a person looked at Today, and up to which number promises were there then: what came since is marked as new. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table today_looks (
      user_id uuid primary key references users on delete cascade,
      looked_at timestamptz not null,
      promises bigint not null,
      before_at timestamptz,
      before_promises bigint
    )
  `);
  await knex.raw(`comment on column today_looks.before_at is 'the last look on a day before the one of looked_at'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table today_looks');
}
