import type { Knex } from 'knex';

/** How many contacts of the CRM have a conversation's name, where that is why none was chosen: a person chooses. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table dialogs add column namesakes smallint not null generated always as (
      case when match_status = 'UNMATCHED' and match_decided_by = 'rule' then
        jsonb_array_length(jsonb_path_query_array(match_suggestions,
          '$[*] \\? (exists (@.evidence[*] \\? (@.field == "name" && @.words starts with "Same name")))'))
      else 0 end
    ) stored
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table dialogs drop column namesakes');
}
