import type { Db } from '../../lib/db.ts';
import { IS_WRITTEN, SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../digests/repo.ts';
import type { ShownDigest } from '../digests/schema.ts';
import { SOURCED_COLUMNS } from '../promises/repo.ts';
import { type SourcedPromise, sourcedPromiseRow } from '../promises/schema.ts';
import { type Named, namedRow } from './schema.ts';

type Rows = { rows: unknown[] };

/** Names beyond these are of conversations that were quiet for long. */
const MOST_NAMES = 3_000;

/** The names of the user's conversations and of the contacts they are linked to, those that moved last first. */
export async function listNames(db: Db, { userId }: { userId: string }): Promise<Named[]> {
  const { rows } = await db.raw<Rows>(
    `
    select id as dialog_id, peer_type = 'user' as is_person,
      coalesce(nullif(peer_name, ''), nullif(peer_username, ''), nullif(peer_phone, ''), 'Without a name') as name, concat_ws(' ', peer_name, peer_username, crm_contact_name,
      match_contact ->> 'company') as names
    from dialogs where user_id = :userId order by last_message_at desc nulls last, id limit ${MOST_NAMES}
    `,
    { userId },
  );
  return rows.map(row => namedRow.parse(row));
}

export type Sought = {
  userId: string;
  /** Conversations that the question names. */
  dialogIds: readonly string[];
  /** For each word of the question how it may begin in the index; at least one word or one conversation. */
  beginnings: readonly (readonly string[])[];
  /** The days that are meant for sure, YYYY-MM-DD. */
  days: { since: string; until: string } | undefined;
  /** The present day. */
  today: string;
  /** Only among the newest, and few of them. */
  isLoose?: boolean;
};

/** Looked at one by one, as in the search: what most digests say is found among the newest. */
const LOOKED_AT = 1_500;
const MOST_NEWEST = 60;
const MOST_OF_PEOPLE = 50;
const MOST_OLDER = 40;
const MOST_LOOSE = 50;
/** So many matches of rare pairs of words are put in the order of their days. */
const MOST_SORTED = 2_000;

/** At most 150 digests that may answer, from three places: the newest, the people named, and all that say two of the words. */
export async function findDigests(db: Db, sought: Sought): Promise<ShownDigest[]> {
  const { userId, dialogIds, beginnings, days } = sought;
  const terms = beginnings.map(termOf);
  const any = terms.join(' | ');
  const isOfDays = terms.length === 0 && dialogIds.length === 0 && days;
  const pairs = terms.length > 1 ? pairsOf(terms).join(' | ') : any;
  const inDays = days ? 'and digest_date between :since::date and :until::date' : '';
  const ofUser = `from digests where user_id = :userId and ${IS_WRITTEN} ${inDays}`;
  const count = terms.map((_, n) => `(search @@ :term${n}::tsquery)::int`).join(' + ');
  const mostFirst = count ? `${count} desc, ${ORDER}` : ORDER;
  const { rows } = await db.raw<Rows>(
    `
    with newest as materialized (
      select id, dialog_id, search, digest_date, last_message_at ${ofUser} order by ${ORDER} limit ${LOOKED_AT}
    ), near as (
      select id from newest where ${any ? 'search @@ :any::tsquery' : isOfDays ? 'true' : 'false'} order by ${mostFirst} limit ${sought.isLoose ? MOST_LOOSE : MOST_NEWEST}
    ), of_people as (
      select id from digests where dialog_id = any(:dialogIds::uuid[]) and user_id = :userId and ${IS_WRITTEN} ${inDays}
      order by ${mostFirst} limit ${MOST_OF_PEOPLE}
    ), older as (
      select id from (select id, digest_date, last_message_at ${ofUser} and ${pairs && !sought.isLoose ? 'search @@ :pairs::tsquery' : 'false'} limit ${MOST_SORTED}) as found
      order by ${ORDER} limit ${MOST_OLDER}
    )
    select ${SHOWN_COLUMNS} from digests ${SHOWN_JOINS}
    where digests.user_id = :userId and digests.id in (select id from near union select id from of_people union select id from older)
    order by digests.digest_date desc, digests.id
    `,
    {
      ...{ userId, dialogIds: [...dialogIds], since: days?.since ?? null, until: days?.until ?? null },
      ...{ any, pairs: `'${userId}' & (${pairs})` },
      ...Object.fromEntries(terms.map((term, n) => [`term${n}`, term])),
    },
  );
  return rows.map(toShown);
}

const ORDER = 'digest_date desc, last_message_at desc nulls last, id';

/** The words are letters and digits, or what joins them in a script: none ends a quoted lexeme. */
function termOf(beginnings: readonly string[]): string {
  return `(${beginnings.map(beginning => `'${beginning}'${/^\d+$/.test(beginning) ? '' : ':*'}`).join(' | ')})`;
}

function pairsOf(terms: readonly string[]): string[] {
  return terms.flatMap((one, at) => terms.slice(at + 1).map(other => `(${one} & ${other})`));
}

const MOST_PROMISES = 60;

/** The promises that may answer: of the people named, or with one of the words; open ones first, then the newest. */
export async function findPromises(
  db: Db,
  { userId, dialogIds, beginnings, today, direction }: Sought & { direction: string | undefined },
): Promise<SourcedPromise[]> {
  const terms = beginnings.map(termOf);
  const said = terms.length > 0 ? 'p.search @@ :any::tsquery' : 'false';
  const isAll = terms.length === 0 && dialogIds.length === 0;
  const count = terms.map((_, n) => `(p.search @@ :term${n}::tsquery)::int`).join(' + ') || '0';
  const { rows } = await db.raw<Rows>(
    `
    with found as materialized (
      select p.id, p.state, p.last_said_on, ${count} as hits from promises p
      where p.user_id = :userId and p.state <> 'withdrawn' and p.words <> '' and (${isAll ? 'true' : `p.dialog_id = any(:dialogIds::uuid[]) or ${said}`})
        and (:direction::text is null or p.direction in (:direction::text, 'unassigned'))
      order by ${isAll ? '' : 'hits desc,'} (p.state in ('open', 'snoozed')) desc, p.last_said_on desc, p.id limit ${MOST_PROMISES}
    )
    select ${SOURCED_COLUMNS} from found join promises p using (id) join dialogs on dialogs.id = p.dialog_id
    where p.user_id = :userId order by found.hits desc, found.last_said_on desc, p.id
    `,
    {
      ...{
        userId,
        dialogIds: [...dialogIds],
        today,
        direction: direction ?? null,
        any: `'${userId}' & (${terms.join(' | ')})`,
      },
      ...Object.fromEntries(terms.map((term, n) => [`term${n}`, term])),
    },
  );
  return rows.map(row => sourcedPromiseRow.parse(row));
}
