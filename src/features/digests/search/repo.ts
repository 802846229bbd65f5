import type { Db } from '../../../lib/db.ts';
import { IS_WRITTEN, SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../fragments.ts';
import type { ShownDigest } from '../schema.ts';
import { saysAll, wordBindings } from './fragments.ts';

const MOST_WORDS = 8;

/** The words of a search, in order, as the index has them: folded, without accents. */
export async function foldWords(db: Db, typed: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { words: string[] }[] }>('select search_words(?) as words', [typed]);
  return (rows[0]?.words ?? []).slice(0, MOST_WORDS);
}

type Asked = {
  userId: string;
  words: readonly string[];
  /** The first day, YYYY-MM-DD. */
  since: string;
  limit: number;
  /** Only these conversations, and nothing of the CRM's: for an assistant. */
  among?: readonly string[] | undefined;
};

/**
 * This many of the newest digests are checked one by one. A word that most of them contain has filled the page by then;
 * the index would first collect all matches of a year, tens of thousands, to find the newest.
 */
const LOOKED_AT = 1_500;

/**
 * The digests that contain every word: in the summary, a topic or an action item, or in the conversation's or the
 * contact's name or company. For the last word, its beginning is enough. Newest first.
 * @param words as {@link foldWords} returns them, at least one
 */
export async function searchDigests(db: Db, { userId, words, since, limit, among }: Asked): Promise<ShownDigest[]> {
  const only = among ? 'and dialog_id = any(:among::uuid[])' : '';
  const ofUser = `from digests where user_id = :userId and digest_date >= :since and ${IS_WRITTEN} ${only}`;
  const names = among ? 'own_search' : 'search';
  const says = saysAll(words, { text: 'digests.search', dialog: 'digests.dialog_id', names });
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with newest as materialized (
       select ${SOUGHT} ${ofUser} order by ${ORDER} limit ${LOOKED_AT}
     ), among as materialized (
       select id from newest as digests where ${says} order by ${ORDER} limit :limit
     ), hits as materialized (
       select ${SOUGHT} ${ofUser} and ${says} and (select count(*) from among) < :limit
     ), found as (
       select id from among union select id from (select id from hits as digests order by ${ORDER} limit :limit) as all_hits
     )
     select ${SHOWN_COLUMNS} from digests ${SHOWN_JOINS}
     where digests.user_id = :userId and digests.id in (select id from found) order by ${ORDER}`,
    { userId, since, limit, among: among ?? null, ...wordBindings(words, userId) },
  );
  return rows.map(toShown);
}

const SOUGHT = 'digests.id, digests.dialog_id, digests.search, digests.digest_date, digests.last_message_at';

const ORDER = 'digests.digest_date desc, digests.last_message_at desc nulls last, digests.id';
