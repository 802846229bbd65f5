import type { Knex } from 'knex';

/**
 * What was agreed to before said nothing of quotes: promises that are still open go to the model in the words of whoever
 * made them. Everybody who chose the model is asked again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table writer_choices add column terms smallint not null default 1');
  await knex.raw(`comment on column writer_choices.terms is 'which version of what the model gets the person read'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table writer_choices drop column terms');
}
