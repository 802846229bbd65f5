import type { Db, UserKey } from '../../../lib/db.ts';
import { joinSql, NO_SQL, rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { IS_WRITTEN, QUOTED_AT } from '../../digests/fragments.ts';
import { type Digest, digestRow } from '../../digests/schema.ts';
import { BY_DUE, DUE_OR_INFINITY, LIVE, selectSourcedColumns } from '../../promises/fragments.ts';
import type { UserMoment } from '../../promises/rules.ts';
import { type SourcedPromise, sourcedPromiseRow } from '../../promises/schema.ts';
import { type NamedDialog, namedRow, type StoredAnswer, writtenRow } from './schema.ts';

/** Limit of candidates that are compared closely. */
const MAX_NAMED_DIALOGS = 100;

/** Conversations to search; all by default. */
export type AmongDialogs = { among?: readonly string[] | undefined };

const isAmong = ({ among }: AmongDialogs, column: Sql) => (among ? sql`and ${column} = any(${among}::uuid[])` : NO_SQL);

/** Words that may name someone, their beginnings, and the keys that find them in other alphabets. */
export type NamedBy = { words: readonly string[]; beginnings: readonly string[]; keys: readonly string[] };

/** Conversations whose own or contact's name may match: first those with exactly these words, then the newest. */
export async function findNamed(
  db: Db,
  { userId, words, beginnings, keys, ...where }: AmongDialogs & NamedBy & { userId: string },
): Promise<NamedDialog[]> {
  if (words.length === 0) return [];
  // Assistants may not read CRM data.
  const column = rawSql(where.among ? 'own_search' : 'search');
  const ofCrm = where.among ? NO_SQL : sql`, crm_contact_name, match_contact ->> 'company'`;
  const begins = beginnings.map(beginning => `'${beginning}':*`).join(' | ');
  const exactly = words.map(word => `'${word}'`).join(' | ');
  return sql`
    select id as dialog_id, peer_type = 'user' as is_person, peer_name, peer_username, peer_phone,
      concat_ws(' ', peer_name, peer_username${ofCrm}) as names
    from dialogs where user_id = ${userId} ${isAmong(where, sql`id`)}
      and (${column} @@ ${begins}::tsquery or name_keys && ${keys}::text[])
    order by ${column} @@ ${exactly}::tsquery desc, last_message_at desc nulls last, id limit ${MAX_NAMED_DIALOGS}
  `.read(db, namedRow);
}

type DigestQuery = AmongDialogs &
  UserKey &
  UserMoment & {
    /** Conversations that the question names. */
    dialogIds: readonly string[];
    /** For each word of the question how it may begin in the index. */
    beginnings: readonly (readonly string[])[];
    /** YYYY-MM-DD. */
    days: { since: string; until: string } | undefined;
    /** Only statements of these days. */
    isOfDays: boolean;
    /** The side that owes the promises. */
    direction: 'mine' | 'theirs' | undefined;
    /** Includes open or upcoming promises of that side, due on these days. */
    isOpen: boolean;
    /** The newest, whatever they say. */
    isOfAll?: boolean;
  };

/** How many of the newest rows are searched one by one: common words are found among them. */
const MAX_SEARCHED_ROWS = 1_500;
const MAX_SEARCHED_OF_PEOPLE = 400;
const MAX_NEWEST_DIGESTS = 60;
/** Where no word chooses among them: two days or more of most people. */
const MAX_DIGESTS_OF_ALL = 150;
const MAX_DIGESTS_OF_PEOPLE = 50;
const MAX_OLDER_DIGESTS = 40;

const ORDER = sql`digest_date desc, last_message_at desc nulls last, id`;
/** Omits expensive columns that only digest pages show. */
const READ_COLUMNS = sql`digests.id, digests.dialog_id, to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date, digests.message_count,
  digests.status, digests.status as writing_state, digests.summary, digests.structured, digests.engine, digests.reason, digests.sources,
  digests.last_message_at, digests.covered_by, (${IS_WRITTEN}) as is_written, ${QUOTED_AT}, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone, dialogs.peer_type,
  dialogs.peer_kind, dialogs.peer_key`;

/**
 * The newest digests, those of the named people and, if these are too few, older ones with two of the question's words, or
 * with its only word: 200 in all at most.
 */
export async function findDigests(db: Db, sought: DigestQuery): Promise<Digest[]> {
  return sql`
    with ${chooseDigests(sought)} select ${READ_COLUMNS} from digests join dialogs on dialogs.id = digests.dialog_id
    where digests.user_id = ${sought.userId} and digests.id in (select id from chosen)
    order by digests.digest_date desc, digests.id
  `.read(db, digestRow);
}

/** The parts of a statement, the last of which, `chosen`, has the ids of the digests that may answer. */
function chooseDigests(sought: DigestQuery): Sql {
  const { userId, dialogIds, isOfAll = false } = sought;
  const days = sought.isOfDays ? sought.days : undefined;
  const { any, pairs, mostFirst } = composeSearch(sought, ORDER);
  const matchesAll = isOfAll || (any === '' && dialogIds.length === 0 && days);
  const someMatch = any ? sql`search @@ ${any}::tsquery` : sql`false`;
  const inDays = days ? sql`and digest_date between ${days.since}::date and ${days.until}::date` : NO_SQL;
  const ofUser = sql`from digests
    where user_id = ${userId} and ${IS_WRITTEN} ${inDays} ${isAmong(sought, sql`dialog_id`)}`;
  const columns = sql`id, search, digest_date, last_message_at`;
  // Starts from the user's own index of days; a plain query would walk all users' days.
  return sql`
    begins as materialized (
      select coalesce((select digest_date ${ofUser} order by digest_date desc offset ${MAX_SEARCHED_ROWS - 1} limit 1), '-infinity') as day
    ), latest as materialized (select ${columns} ${ofUser} and digest_date >= (select day from begins)),
    newest as materialized (select ${columns} from latest order by ${ORDER} limit ${MAX_SEARCHED_ROWS}),
    near as materialized (
      select id from newest where ${matchesAll ? sql`true` : someMatch} order by ${mostFirst} limit ${isOfAll ? MAX_DIGESTS_OF_ALL : MAX_NEWEST_DIGESTS}
    ), theirs as materialized (
      select ${columns} ${ofUser} and dialog_id = any(${dialogIds}::uuid[])
      order by ${ORDER} limit ${MAX_SEARCHED_OF_PEOPLE}
    ), of_people as (select id from theirs order by ${mostFirst} limit ${MAX_DIGESTS_OF_PEOPLE}),
    hits as materialized (
      select id, digest_date, last_message_at ${ofUser}
        and ${pairs ? sql`search @@ ${`'${userId}' & (${pairs})`}::tsquery` : sql`false`}
        and (select count(*) from near) < ${MAX_NEWEST_DIGESTS}
    ), older as (select id from hits order by ${ORDER} limit ${MAX_OLDER_DIGESTS}),
    chosen as (select id from near union select id from of_people union select id from older)`;
}

/** Composes a search: its queries of any word and of any two, '' without words. @param order the order of equally good rows */
function composeSearch({ beginnings }: DigestQuery, order: Sql) {
  const terms = beginnings.map(composeTerm);
  const any = terms.join(' | ');
  const allPairs = terms.flatMap((one, at) => terms.slice(at + 1).map(other => `(${one} & ${other})`));
  const pairs = terms.length > 1 ? allPairs.join(' | ') : any;
  const counts = terms.map(term => sql`(search @@ ${term}::tsquery)::int`);
  return { any, pairs, mostFirst: counts.length > 0 ? sql`${joinSql(counts, ' + ')} desc, ${order}` : order };
}

/** A term of a tsquery. Words are made of letters, digits and joiners, so that none can end the quoted lexeme. */
function composeTerm(beginnings: readonly string[]): string {
  return `(${beginnings.map(beginning => `'${beginning}'${/^\d+$/.test(beginning) ? '' : ':*'}`).join(' | ')})`;
}

const MAX_PROMISES = 60;
const MAX_PROMISES_OF_EACH_KIND = MAX_PROMISES / 2;
const MAX_PROMISES_OF_DIALOG = 40;

/** At most 60 promises: the newest with most words and the named people's; plus 60 open ones, by day. */
export async function findPromises(db: Db, sought: DigestQuery): Promise<SourcedPromise[]> {
  const { userId, direction, days, today, dialogIds, isOpen } = sought;
  const { any, mostFirst } = composeSearch(sought, sql`changed_at desc, id`);
  const side = sql`p.user_id = ${userId} and p.state <> 'withdrawn' and p.words <> '' and p.replaced_by is null
    ${isAmong(sought, sql`p.dialog_id`)} ${direction ? sql`and p.direction in (${direction}::text, 'unassigned')` : NO_SQL}`;
  const columns = sql`p.id, p.search, p.changed_at`;
  const since = direction ? NO_SQL : sql`and p.due_date >= ${days?.since ?? today}::date`;
  return sql`
    with newest as materialized (
      select ${columns} from promises p where ${side} order by p.changed_at desc, p.id limit ${MAX_SEARCHED_ROWS}
    ), near as (
      select id from newest where ${any ? sql`search @@ ${any}::tsquery` : sql`false`}
      order by ${mostFirst} limit ${MAX_PROMISES_OF_EACH_KIND}
    ), theirs as materialized (
      select of_dialog.* from unnest(${dialogIds}::uuid[]) as asked (id) cross join lateral (
        select ${columns} from promises p where p.dialog_id = asked.id and ${side}
        order by ${LIVE} desc, p.last_said_on desc, p.id limit ${MAX_PROMISES_OF_DIALOG}
      ) as of_dialog
    ), of_people as (select id from theirs order by ${mostFirst} limit ${MAX_PROMISES_OF_EACH_KIND}),
    open as (
      select p.id from promises p where ${isOpen ? side : sql`false`} and ${LIVE}
        and ${DUE_OR_INFINITY} <= ${days?.until ?? 'infinity'}::date ${since} order by ${BY_DUE} limit ${MAX_PROMISES}
    )
    select ${selectSourcedColumns(sought)} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} and p.id in (select id from near union select id from of_people union select id from open)
    order by p.last_said_on desc, p.id
  `.read(db, sourcedPromiseRow);
}

type Key = { userId: string; fingerprint: string };

/** The sentences that were written for this fingerprint; undefined if they are older than `since`. */
export async function findWritten(
  db: Db,
  { userId, fingerprint, since }: Key & { since: Date },
): Promise<StoredAnswer | undefined> {
  const row = await db('written_answers')
    .where({ user_id: userId, fingerprint })
    .where('written_at', '>=', since)
    .first('sent', 'sentences');
  return row && writtenRow.parse(row);
}

/** Replaces an earlier answer to the same question. */
export async function keepWritten(
  db: Db,
  { userId, fingerprint, sent, sentences, now }: Key & StoredAnswer & { now: Date },
): Promise<void> {
  await db('written_answers')
    .insert({ user_id: userId, fingerprint, sent, written_at: now, sentences: JSON.stringify(sentences) })
    .onConflict(['user_id', 'fingerprint'])
    .merge();
}

/** Deletes stored sentences, whose sources may be deleted now. */
export async function forgetWritten(db: Db, { userId }: { userId: string }): Promise<void> {
  await db('written_answers').where({ user_id: userId }).delete();
}
