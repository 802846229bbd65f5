import { type Db, isUuid, type UserKey } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { mapInSteps } from '../../lib/inSteps.ts';
import { NO_SQL, sql } from '../../lib/sql.ts';
import type { DialogKey } from '../messenger/dialogs/schema.ts';
import * as fragments from './fragments.ts';
import { coverageRow, digestInShortRow, type ShownDigest, type WritingState } from './schema.ts';

/**
 * The newest digests by day, those with a summary first. The statement is named, so it is prepared once per connection;
 * its limit is text, which is bound, as a number would be part of the statement.
 */
export async function listNewestDigests(db: Db, { userId, limit }: { userId: string; limit: number }) {
  const rows = await sql`
    select digests.id, ${fragments.DAY_COLUMN}, digests.message_count, derived.status,
      digests.summary, digests.structured, dialogs.peer_name, dialogs.peer_username
    from digests join dialogs on dialogs.id = digests.dialog_id ${fragments.STATUS_JOIN}
    where digests.user_id = ${userId} order by ${fragments.NEWEST_FIRST} limit ${String(limit)}`.rows(db, 'newest digests');
  return rows.map(row => digestInShortRow.parse(row));
}

/** The newest digest of one conversation that has a summary. */
export async function findNewestSummary(db: Db, dialog: DialogKey) {
  const ofDialog = fragments.selectShownOfDialog(dialog);
  const rows = await sql`${ofDialog} and digests.summary <> '' order by digests.digest_date desc limit 1`.rows(db);
  return rows.map(fragments.toShown)[0];
}

/** What is new in a conversation, and what a model's digest before said; empty if there is none. */
export type DayNews = Pick<ShownDigest, 'id' | 'dialogId' | 'summary' | 'quotedAt'> & {
  peerName: string;
  peerType: string;
  before: string;
};

/** The digests of a day that are most likely to be news, by signs, without muted conversations. @param day.date YYYY-MM-DD */
export async function listDayNews(
  db: Db,
  { userId, date, limit }: { userId: string; date: string; limit: number },
): Promise<DayNews[]> {
  return sql`select digests.id, digests.dialog_id as "dialogId", digests.summary, ${fragments.QUOTED_AT},
       dialogs.peer_name as "peerName", dialogs.peer_type as "peerType", coalesce((select earlier.summary from digests earlier
         where earlier.dialog_id = digests.dialog_id and earlier.user_id = digests.user_id
           and earlier.digest_date < digests.digest_date and earlier.summary <> '' and earlier.engine <> 'built-in'
         order by earlier.digest_date desc limit 1), '') as before
     from digests join dialogs on dialogs.id = digests.dialog_id
     where digests.user_id = ${userId} and digests.digest_date = ${date} and ${fragments.IS_WRITTEN} and not dialogs.is_muted
     order by digests.is_urgent desc, (digests.structured -> 'news')::float desc nulls last, digests.id limit ${limit}`.rows<DayNews>(
    db,
  );
}

/** The day of a digest, YYYY-MM-DD. Throws NotFound for an unknown digest and for another user's. */
export async function getDigestDay(db: Db, { userId, digestId }: { userId: string; digestId: string }) {
  const row = isUuid(digestId)
    ? await db('digests')
        .where({ user_id: userId, id: digestId })
        .first<{ digest_date: string }>(fragments.DAY_COLUMN.toRaw(db))
    : undefined;
  if (!row) throw new NotFound('digest');
  return row.digest_date;
}

export type DigestDay = { /** YYYY-MM-DD */ date: string; total: number; urgent: number; messages: number };

/** Days are YYYY-MM-DD. */
type DigestDaysQuery = { userId: string; since: string; until: string };

export type DigestDayWithStart = DigestDay & {
  /** When the first of all its messages was sent. */
  firstMessageAt: Date | null;
};

/** Like {@link listDigestDays}, plus the first message's time, which no index holds. */
export function listDigestDaysWithStart(db: Db, days: DigestDaysQuery): Promise<DigestDayWithStart[]> {
  return listDigestDays(db, days, sql`, min(first_message_at) as "firstMessageAt"`);
}

/** Days with digests from `since` to `until`, newest first, with their counts of digests, urgent ones and messages. */
export async function listDigestDays<Row = DigestDay>(
  db: Db,
  { userId, since, until }: DigestDaysQuery,
  columns = NO_SQL,
): Promise<Row[]> {
  return sql`
    select to_char(digest_date, 'YYYY-MM-DD') as date, count(*)::int as total,
      count(*) filter (where is_urgent)::int as urgent, sum(message_count)::int as messages ${columns}
    from digests where user_id = ${userId} and digest_date between ${since} and ${until} and ${fragments.IS_WRITTEN}
    group by digest_date order by digest_date desc
  `.rows<Row>(db);
}

/** Whether the user has a digest, in any state. @param before YYYY-MM-DD, counts only days before it */
export async function hasDigests(db: Db, { userId, before }: { userId: string; before?: string }): Promise<boolean> {
  const all = db('digests').where({ user_id: userId });
  const row = await (before ? all.where('digest_date', '<', before) : all).first('id');
  return row !== undefined;
}

/** Whether the user has a digest to read. */
export async function hasWritten(db: Db, { userId }: UserKey): Promise<boolean> {
  return (await db('digests').where({ user_id: userId }).where(fragments.IS_WRITTEN.toRaw(db)).first('id')) !== undefined;
}

/** The coverage of the newest digest of every conversation of an account, each looked up as {@link fragments.ofDialog} says. */
export async function listNewestCoverage(db: Db, { userId, accountId }: { userId: string; accountId: string }) {
  return sql`
    select newest.* from dialogs cross join lateral (
      select id, dialog_id, job_id, ${fragments.DAY_COLUMN}, status as writing_state, after_message_id, last_message_id, message_count,
        reason, crashes,
        summary <> '' as has_summary
      from digests where digests.dialog_id = dialogs.id
      order by digests.digest_date desc limit 1
    ) as newest
    where dialogs.user_id = ${userId} and dialogs.account_id = ${accountId}
  `.read(db, coverageRow);
}

/** Number of conversations with a digest on this day, which plans limit. */
export async function countDigestsOfDay(db: Db, { userId, date }: { userId: string; date: string }): Promise<number> {
  const [row] = await db('digests')
    .where({ user_id: userId, digest_date: date })
    .whereNot('summary', '')
    .count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** The outcome of each conversation in a job so far, from which a job of a dead worker resumes. */
export async function listJobOutcomes(
  db: Db,
  { userId, jobId }: { userId: string; jobId: string },
): Promise<{ dialogId: string; writingState: WritingState }[]> {
  return db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNotIn('status', ['PENDING', 'SUMMARIZING'])
    .where({ is_excerpt: false })
    .select('dialog_id as dialogId', 'status as writingState');
}

const MAX_QUERY_WORDS = 8;

/** The words of a search, in order, as the index has them: folded, without accents. */
export async function foldWords(db: Db, typed: string): Promise<string[]> {
  const [folded] = await sql`select search_words(${typed}) as words`.rows<{ words: string[] }>(db);
  return (folded?.words ?? []).slice(0, MAX_QUERY_WORDS);
}

type DigestSearch = {
  userId: string;
  words: readonly string[];
  /** The first day, YYYY-MM-DD. */
  since: string;
  limit: number;
  /** Only these conversations, and nothing of the CRM's: for an assistant. */
  among?: readonly string[] | undefined;
};

/**
 * Number of newest digests that are checked one by one before the index is used. Frequent words fill the page with them,
 * while the index would first collect a year's matches.
 */
const MAX_SCANNED_DIGESTS = 1_500;

/**
 * The digests that contain every word: in the summary, a topic or an action item, or in the conversation's or the
 * contact's name or company. For the last word, its beginning is enough. Newest first.
 * @param words as {@link foldWords} returns them, at least one
 */
export async function searchDigests(db: Db, { userId, words, since, limit, among }: DigestSearch): Promise<ShownDigest[]> {
  const only = among ? sql`and dialog_id = any(${among}::uuid[])` : NO_SQL;
  const ofUser = sql`from digests
    where user_id = ${userId} and digest_date >= ${since} and ${fragments.IS_WRITTEN} ${only}`;
  const hasWords = fragments.matchWords(words, {
    userId,
    ...{ text: sql`digests.search`, isIndexed: true, dialog: sql`digests.dialog_id` },
    names: among ? 'own_search' : 'search',
  });
  const rows = await sql`
    with newest as materialized (
      select ${SOUGHT} ${ofUser} order by ${ORDER} limit ${MAX_SCANNED_DIGESTS}
    ), among as materialized (
      select id from newest as digests where ${hasWords} order by ${ORDER} limit ${limit}
    ), hits as materialized (
      select ${SOUGHT} ${ofUser} and ${hasWords} and (select count(*) from among) < ${limit}
    ), found as (
      select id from among union select id from (select id from hits as digests order by ${ORDER} limit ${limit}) as all_hits
    )
    select ${fragments.SHOWN_COLUMNS} from digests ${fragments.SHOWN_JOINS}
    where digests.user_id = ${userId} and digests.id in (select id from found) order by ${ORDER}
  `.rows(db);
  return mapInSteps(rows, fragments.toShown);
}

const SOUGHT = sql`digests.id, digests.dialog_id, digests.search, digests.digest_date, digests.last_message_at`;

const ORDER = sql`digests.digest_date desc, digests.last_message_at desc nulls last, digests.id`;
