import { soundOf } from '../../lib/nameKeys.ts';
import { joinSql, rawSql, type Sql, sql } from '../../lib/sql.ts';
import { LINK_COLUMNS } from '../contacts/matching/repo.ts';
import { linkedDialogRow } from '../contacts/matching/schema.ts';
import type { DialogKey } from '../messenger/dialogs/schema.ts';
import { digestRow, type ShownDigest } from './schema.ts';

export const DAY_COLUMN = sql`to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date`;

/** Order: the newest day first, and of a day the rows with a summary first, then those with the newest message. */
export const NEWEST_FIRST = sql`digests.digest_date desc, (digests.summary = ''), digests.last_message_at desc nulls last, digests.id`;

/**
 * The status of each digest as the API returns it, for statements from `digests`: `derived.status`. The rule is in the
 * database, defined by the newest migration that names `digest_status`.
 */
export const STATUS_JOIN = sql`cross join lateral digest_status(digests.id, digests.status) as derived`;

/** The digest has a summary to show, even if only from an earlier try that day. */
export const IS_WRITTEN = sql`digests.summary <> '' and digests.status not in ('SKIPPED', 'FAILED')`;

const COLUMNS = sql`digests.id, digests.dialog_id, ${DAY_COLUMN}, digests.message_count, digests.status as writing_state,
  derived.status, digests.summary, digests.structured, digests.engine, digests.is_excerpt, digests.style, digests.reason, digests.last_message_at,
  digests.covered_by, digests.news_rank, (${IS_WRITTEN}) as is_written,
  dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone`;

/** Marks action items that count as settled according to `promises`. */
const TICKED = sql`cross join lateral settled_item_ids(digests.user_id, digests.dialog_id, digests.structured) as settled`;

/** When this server took the words of a digest from messages: null where a model wrote it. */
export const QUOTED_AT = sql`case when digests.engine = 'built-in' then digests.created_at end as quoted_at`;

/** The columns of a digest that pages show, for statements from `digests` and {@link SHOWN_JOINS}. */
export const SHOWN_COLUMNS = sql`${COLUMNS}, ${QUOTED_AT}, digests.first_message_at, digests.sources, dialogs.peer_kind,
  dialogs.peer_key, dialogs.is_pinned, dialogs.is_muted, settled.ticked, ${LINK_COLUMNS}`;

export const SHOWN_JOINS = sql`join dialogs on dialogs.id = digests.dialog_id ${STATUS_JOIN} ${TICKED}`;

const SHOWN_OF_ALL = sql`select ${SHOWN_COLUMNS} from digests ${SHOWN_JOINS}`;

/** A user's digests with what pages say beside them: sources, settled items, and the link to the CRM. */
export const selectShown = (userId: string) => sql`${SHOWN_OF_ALL} where digests.user_id = ${userId}`;

/**
 * Selects one conversation of a user. Ownership is checked on the conversation alone: with the user's id beside it,
 * Postgres would read the index of all the user's digests, a hundred thousand in a year.
 */
export const ofDialog = ({ userId, dialogId }: DialogKey) =>
  sql`digests.dialog_id = (select id from dialogs where user_id = ${userId} and id = ${dialogId})`;

export const selectShownOfDialog = (dialog: DialogKey) => sql`${SHOWN_OF_ALL} where ${ofDialog(dialog)}`;

export function toShown(row: unknown): ShownDigest {
  return { ...digestRow.parse(row), link: linkedDialogRow.parse(row) };
}

/** Minimum length of a word's sound: shorter ones could be anyone's. */
const MIN_SOUND_LENGTH = 3;

type SearchedRows = {
  userId: string;
  /** A column `search` of the row, which contains the user's id as a word, or the row's plain words. */
  text: Sql;
  isIndexed: boolean;
  /** The id of its conversation. */
  dialog: Sql;
  /** Where names of conversations are looked up: with those of their contacts, or their own alone. */
  names?: 'search' | 'own_search';
};

/**
 * The condition that each word is in a row's text or in the name of its conversation; without words, no row matches. The
 * last word may be incomplete; names also match by sound: Melnyk is Мельник.
 */
export function matchWords(
  words: readonly string[],
  { userId, text, isIndexed, dialog, names = 'search' }: SearchedRows,
): Sql {
  const each = words.map((word, n) => {
    const lexeme = `'${word}'${n === words.length - 1 ? ':*' : ''}`;
    const sounds = [soundOf(word).spelled].filter(sound => sound.length >= MIN_SOUND_LENGTH);
    return sql`(${text} @@ ${isIndexed ? `'${userId}' & ${lexeme}` : lexeme}::tsquery or ${dialog} = any(array(
      select named.id from dialogs named where named.user_id = ${userId}
        and (named.${rawSql(names)} @@ ${lexeme}::tsquery or named.name_keys && ${sounds}::text[]))))`;
  });
  return each.length > 0 ? joinSql(each, ' and ') : sql`false`;
}
