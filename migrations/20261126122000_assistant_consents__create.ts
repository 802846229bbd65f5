import type { Knex } from 'knex';

/**
 * What a person lets an assistant read: all private conversations (without a conversation), or one group. Kept with its
 * wording after it ended, as the choices of who writes the digests are.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table assistant_consents (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      given_to uuid references api_tokens on delete set null,
      dialog_id uuid references dialogs on delete cascade,
      assistant text not null,
      wording text not null,
      agreed_at timestamptz not null,
      ended_at timestamptz
    )
  `);
  await knex.raw(`
    create unique index assistant_consents_held on assistant_consents (given_to, coalesce(dialog_id, given_to))
    where ended_at is null and given_to is not null
  `);
  await knex.raw(
    'create index assistant_consents_given_to on assistant_consents (given_to) where given_to is not null',
  );
  await knex.raw('create index assistant_consents_user on assistant_consents (user_id, agreed_at)');
  await knex.raw(
    'create index assistant_consents_dialog on assistant_consents (dialog_id) where dialog_id is not null',
  );
  await knex.raw(
    `comment on column assistant_consents.given_to is 'null once the token is revoked: then it has ended'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table assistant_consents');
}
