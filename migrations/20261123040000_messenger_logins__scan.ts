import type { Knex } from 'knex';

/** A sign-in may begin with a code to scan instead of one that is sent to a phone. */
export async function up(knex: Knex): Promise<void> {
  await allow(knex, ['scan', 'code', 'password', 'done']);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messenger_logins where step = 'scan'`);
  await allow(knex, ['code', 'password', 'done']);
}

async function allow(knex: Knex, steps: string[]): Promise<void> {
  const list = steps.map(step => `'${step}'`).join(', ');
  await knex.raw('alter table messenger_logins drop constraint messenger_logins_step_check');
  await knex.raw(`alter table messenger_logins add constraint messenger_logins_step_check check (step in (${list}))`);
}
