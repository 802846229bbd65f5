import type { Knex } from 'knex';

/**
 * What a person searches for. Words are folded by one function for both sides, without a language: conversations are
 * in many. Names stay with their conversation, so that somebody renamed is found under the new name at once. The
 * user's id is a word of each digest: the index leads to one person's rows, however many others write the same.
 */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(`
    select collname from pg_collation where collname in ('pg_c_utf8', 'und-x-icu') order by collname limit 1
  `);
  const collation = rows[0]?.collname ?? 'default';
  await knex.raw(String.raw`
    create function search_words(said text) returns text[] language sql immutable parallel safe as $$
      select array_remove(regexp_split_to_array(
        regexp_replace(
          regexp_replace(
            regexp_replace(
              translate(replace(lower(
                regexp_replace(normalize(left(said, 20000), NFKD), '[\u0300-\u036f]', '', 'g') collate "${collation}"
              ), 'ß', 'ss'), 'ıłøđς', 'ilodσ'),
              '([\u2e80-\u9fff\uf900-\ufaff])', ' \1 ', 'g'),
            '[^[:alnum:]]+', ' ', 'g'),
          '([[:alnum:]]{60})[[:alnum:]]+', '\1', 'g'),
        ' '), '')
    $$
  `);
  await knex.raw(`
    comment on function search_words is
      'folds accents and cases; Chinese and Japanese, written without spaces, by the single character'
  `);
  await knex.raw(`
    create function said_in_digest(structured jsonb) returns text language sql immutable parallel safe as $$
      select coalesce(string_agg(said #>> '{}', ' '), '')
      from (select jsonb_path_query(structured, 'lax $.topics[*]') as said
        union all select jsonb_path_query(structured, 'lax $.actionItems[*].text')) as parts
    $$
  `);
  await knex.raw(`
    alter table digests add column search tsvector generated always as (
      array_to_tsvector(search_words(summary || ' ' || said_in_digest(structured)) || user_id::text)) stored
  `);
  await knex.raw('create index digests_search on digests using gin (search)');
  await knex.raw(`
    alter table dialogs add column search tsvector generated always as (
      array_to_tsvector(search_words(peer_name || ' ' || peer_username || ' ' || coalesce(crm_contact_name, '')))) stored
  `);
  await knex.raw(`
    alter table contact_matches add column search tsvector generated always as (
      array_to_tsvector(search_words(coalesce(contact ->> 'company', '')))) stored
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table contact_matches drop column search');
  await knex.raw('alter table dialogs drop column search');
  await knex.raw('alter table digests drop column search');
  await knex.raw('drop function said_in_digest(jsonb)');
  await knex.raw('drop function search_words(text)');
}
