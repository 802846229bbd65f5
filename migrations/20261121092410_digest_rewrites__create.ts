import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table digest_rewrites (
      digest_id uuid primary key references digests on delete cascade,
      user_id uuid not null references users on delete cascade,
      request_id uuid not null,
      style text not null check (style in ('BUSINESS', 'DETAILED', 'MINIMAL')),
      state text not null check (state in ('waiting', 'active', 'written', 'failed')),
      reason text,
      starts integer not null default 0,
      touched_at timestamptz not null
    )
  `);
  await knex.raw('create index digest_rewrites_user_id on digest_rewrites (user_id)');
  await knex.raw(`
    comment on table digest_rewrites is
      'digests a person wants written again in another style; a row goes once that is done, one that failed stays'
  `);
  await knex.raw(`
    comment on column digest_rewrites.request_id is 'one job of the queue belongs to it; a job of an older one does nothing'
  `);
  await knex.raw(`
    comment on column digest_rewrites.starts is 'how often a worker began with it and was not heard of again'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table digest_rewrites');
}
