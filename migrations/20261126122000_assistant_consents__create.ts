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
      token_id uuid references api_tokens on delete set null,
      dialog_id uuid references dialogs on delete cascade,
      assistant text not null,
      wording text not null,
      agreed_at timestamptz not null,
      ended_at timestamptz
    )
  `);
  await knex.raw(`
    create unique index assistant_consents_held on assistant_consents (token_id, coalesce(dialog_id, token_id))
    where ended_at is null and token_id is not null
  `);
  await knex.raw('create index assistant_consents_user on assistant_consents (user_id, agreed_at)');
  await knex.raw(
    'create index assistant_consents_dialog on assistant_consents (dialog_id) where dialog_id is not null',
  );
  await knex.raw(
    `comment on column assistant_consents.token_id is 'null once the token is revoked: then it has ended'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table assistant_consents');
}
