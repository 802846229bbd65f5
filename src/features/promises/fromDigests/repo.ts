import type { ItemLeftOpen } from '../../../clients/summarizer/types.ts';
import { type Db, toStorableJson, type UserKey } from '../../../lib/db.ts';
import { joinSql, rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { LIVE, quoteCondition, SOURCES } from '../fragments.ts';
import { ITEM_OWNER, lockReadMarker, PEOPLE, PREVIOUS, PREVIOUS_AND_DUE } from '../repo.ts';
import { TRANSITIONS } from '../rules.ts';
import { closePromises } from './closePromises.ts';
import { mergeDigestPromises } from './mergeDigestPromises.ts';
import * as schema from './schema.ts';

type OfDialogs = UserKey & { dialogIds: readonly string[] };

/**
 * Locks these conversations' promises and read marker for the transaction, in a fixed order against deadlocks: a page that
 * shows more of them waits.
 */
export async function lockPromisesOfDialogs(db: Db, { userId, dialogIds }: OfDialogs): Promise<void> {
  await lockReadMarker(db, { userId });
  await db('dialogs').where({ user_id: userId }).whereIn('id', dialogIds).orderBy('id').forNoKeyUpdate().select('id');
}

/** SQL of `promises p`: the words to compare with messages. They are in the chat's language unless the user wrote them. */
const COMPARED_WORDS = sql`case when 'words' = any(p.edited) then p.words else coalesce(p.said_words, p.words) end`;
const isGroup = ({ userId }: UserKey) =>
  sql`(select peer_type <> 'user' from dialogs where id = p.dialog_id and user_id = ${userId})`;
const selectSourcesInGroup = (owner: UserKey) => sql`case when ${isGroup(owner)} then (${SOURCES}) end`;

/** Limit of a conversation's promises compared with a new digest; open ones come first. */
const MAX_KNOWN_PROMISES = 100;

/** Keyed by conversation. */
export async function listKnownPromises(
  db: Db,
  { userId, dialogIds }: OfDialogs,
): Promise<Map<string, schema.KnownPromise[]>> {
  const rows = await sql`
    select known.* from unnest(${dialogIds}::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, item_id, direction, who, ${COMPARED_WORDS} as words, p.words as shown_words, kind,
        to_char(due_date, 'YYYY-MM-DD') as due_date, due_time, source_message_ids, request, 'side' = any(edited) as is_side_edited,
        ${LIVE} as is_open, ${selectSourcesInGroup({ userId })} as sources
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = ${userId}
      order by ${LIVE} desc, last_said_on desc, item_id limit ${MAX_KNOWN_PROMISES}
    ) as known
  `.read(db, schema.knownPromiseRow);
  return Map.groupBy(rows, ({ dialogId }) => dialogId);
}

/** Whether the user saw the promise on a page, in an email or as a task in the CRM: such a one never disappears. */
const wasSeen = ({ userId }: UserKey) =>
  sql`(p.number <= coalesce((select last_seen_number from promise_read_markers where user_id = ${userId}), 0)
  or exists (select from outbox_tasks where promise_id = p.id and user_id = ${userId} and crm_id is not null))`;

const DAY_COLUMNS = ['first_said_on', 'last_said_on', 'due_date', 'moved_from', 'snoozed_until'];
const STORED_COLUMNS = Object.keys(schema.storedPromiseRow.columns(schema.storedPromise.shape)).filter(
  column => !['number', 'was_shown', 'replaces', 'said_before'].includes(column),
);
const STORED_VALUES = STORED_COLUMNS.filter(column => column !== 'id').map(column =>
  rawSql(`${column} = excluded.${column}`),
);
const SELECTED_COLUMNS = rawSql(
  STORED_COLUMNS.map(column =>
    DAY_COLUMNS.includes(column) ? `to_char(p.${column}, 'YYYY-MM-DD') as ${column}` : `p.${column}`,
  ).join(', '),
);

/** SQL of `promises p`: the newest digest that said the promise before the one that is being rewritten. */
const selectSaidBefore = ({ userId }: UserKey, digestIds: readonly string[]) => sql`
  case when p.last_digest_id = any(${digestIds}::uuid[]) and p.first_digest_id is distinct from p.last_digest_id then (
  select jsonb_build_object('digestId', d.id, 'day', to_char(d.digest_date, 'YYYY-MM-DD')) from digests d
  where d.dialog_id = p.dialog_id and d.user_id = ${userId} and d.digest_date < p.last_said_on
    and d.structured -> 'actionItems' @> jsonb_build_array(jsonb_build_object('id', p.item_id))
  order by d.digest_date desc limit 1) end`;

type ReadInMessages = { closings?: readonly schema.Closing[]; digests?: readonly schema.DigestPromises[] };

/**
 * Changes promises: those that messages end or move, as {@link closePromises} decides, then those of digests just written,
 * by their items, as {@link mergeDigestPromises} does. Returns the ids of those that were closed, moved or made doubtful.
 */
export async function recordPromises(
  db: Db,
  { userId, now }: UserKey & { now: Date },
  { closings = [], digests = [] }: ReadInMessages,
): Promise<Set<string>> {
  const ids = closings.map(({ promiseId }) => promiseId);
  const byClosings = {
    where: sql`(p.dialog_id, p.id) in (
      select * from unnest(${closings.map(({ dialogId }) => dialogId)}::uuid[], ${ids}::uuid[]))`,
    replaces: PREVIOUS_AND_DUE,
    saidBefore: sql`null::jsonb`,
  };
  const closed =
    closings.length > 0 ? await changeStored(db, { userId }, byClosings, known => closePromises(known, closings, now)) : [];
  const digestIds = digests.map(({ digestId }) => digestId);
  const dialogIds = digests.map(({ dialogId }) => dialogId);
  const itemIds = digests.flatMap(({ structured }) => structured.actionItems.map(({ id }) => id));
  const byItems = {
    where: sql`(p.last_digest_id = any(${digestIds}::uuid[])
      or p.dialog_id = any(${dialogIds}::uuid[]) and p.item_id = any(${itemIds}::text[]))`,
    replaces: PREVIOUS,
    saidBefore: selectSaidBefore({ userId }, digestIds),
  };
  if (digests.length > 0) await changeStored(db, { userId }, byItems, known => mergeDigestPromises(known, digests, now));
  return new Set(closed.map(({ id }) => id));
}

/** Locks promises and stores what `change` makes of them. @param which.replaces what a change stores for its undo */
async function changeStored(
  db: Db,
  { userId }: UserKey,
  { where, replaces, saidBefore }: Record<'where' | 'replaces' | 'saidBefore', Sql>,
  change: (known: schema.StoredPromise[]) => schema.StoredPromise[],
): Promise<schema.StoredPromise[]> {
  const known = await sql`
    select ${SELECTED_COLUMNS}, p.number::float8 as number, ${wasSeen({ userId })} as was_shown, ${replaces} as replaces,
      ${saidBefore} as said_before
    from promises p where p.user_id = ${userId} and ${where} order by p.id for no key update of p
  `.read(db, schema.storedPromiseRow);
  const changed = change(known);
  if (changed.length === 0) return [];
  const columns = rawSql(STORED_COLUMNS.join(', '));
  const rows = toStorableJson(changed.map(promise => schema.storedPromiseRow.columns(promise)));
  await sql`
    insert into promises (user_id, ${columns})
    select ${userId}::uuid, ${columns} from jsonb_populate_recordset(null::promises, ${rows}::jsonb)
    on conflict (id) do update set ${joinSql(STORED_VALUES, ', ')} where promises.user_id = excluded.user_id
  `.rows(db);
  return changed;
}

/** Only this many of a conversation's newest open items are given to whoever writes its next digest. */
const MAX_OPEN_ITEMS = 12;

/** Action items that earlier digests of these conversations left open, by conversation, newest first. */
export async function listItemsLeftOpen(
  db: Db,
  { userId, dialogIds, before }: UserKey & { dialogIds: string[]; before: string },
): Promise<Map<string, ItemLeftOpen[]>> {
  if (dialogIds.length === 0) return new Map();
  const items = await sql`
    select newest.* from unnest(${dialogIds}::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, ${COMPARED_WORDS} as text, ${ITEM_OWNER} as owner, who as owner_name,
        to_char(due_date, 'YYYY-MM-DD') as due_date, to_char(first_said_on, 'YYYY-MM-DD') as since, quoted_at
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = ${userId} and ${LIVE}
        and first_said_on < ${before}::date
      order by last_said_on desc, item_id limit ${MAX_OPEN_ITEMS}
    ) as newest
  `.read(db, schema.itemLeftOpenRow);
  const byDialog = Map.groupBy(items, ({ dialogId }) => dialogId);
  return new Map([...byDialog].map(([dialogId, rows]) => [dialogId, rows.map(({ item }) => item)]));
}

const IS_REQUEST = sql`(p.direction = 'mine' and ${quoteCondition('p')} and not (p.said_by -> 'fromUser')::boolean
  and p.changed_by is distinct from 'person')`;

/** Only this many of a conversation's newest open promises are checked against its messages. */
const MAX_CHECKED_PROMISES = 40;

/** Open promises by conversation, newest first; in groups with authors and people who had written. */
export async function listOpenPromises(
  db: Db,
  { userId, dialogIds }: OfDialogs,
): Promise<Map<string, schema.OpenPromiseRow[]>> {
  if (dialogIds.length === 0) return new Map();
  const found = await sql`
    select newest.* from unnest(${dialogIds}::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, id as promise_id, item_id, direction, who, ${COMPARED_WORDS} as text, to_char(due_date, 'YYYY-MM-DD') as due_date,
        to_char(first_said_on, 'YYYY-MM-DD') as said_at, source_message_ids, request, quoted_at, is_doubtful,
        ${IS_REQUEST} as is_request, ${selectSourcesInGroup({ userId })} as sources,
        case when ${isGroup({ userId })} then (${PEOPLE}) end as people
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = ${userId} and p.state = any(${TRANSITIONS.keep.from})
      order by last_said_on desc, item_id limit ${MAX_CHECKED_PROMISES}
    ) as newest
  `.read(db, schema.openPromiseRow);
  const byDialog = Map.groupBy(found, ({ dialogId }) => dialogId);
  return new Map([...byDialog].map(([dialogId, rows]) => [dialogId, rows.map(({ promise }) => promise)]));
}

/** Only this many of the user's newest open promises are looked for in other chats. */
const MAX_PROMISES_TO_PERSONS = 200;

/** The user's open promises in private chats, newest first. */
export async function listPromisesToPersons(db: Db, { userId }: UserKey): Promise<schema.PromiseToPerson[]> {
  return sql`
    select p.id as promise_id, p.dialog_id, dialogs.peer_name, ${COMPARED_WORDS} as words, a.first_name || ' ' || a.last_name as user_name,
      coalesce((select max(message ->> 'sentAt') from jsonb_array_elements((${SOURCES})) as message),
        to_char(p.last_said_on + 1, 'YYYY-MM-DD')) as said_at
    from promises p join dialogs on dialogs.id = p.dialog_id and dialogs.peer_type = 'user'
      join messenger_accounts a on a.id = dialogs.account_id
    where p.user_id = ${userId} and ${LIVE} and p.direction = 'mine' and p.source_message_ids <> '{}'
    order by p.last_said_on desc, p.id limit ${MAX_PROMISES_TO_PERSONS}
  `.read(db, schema.promiseToPersonRow);
}

/** The digests of private chats of a day, YYYY-MM-DD: also those of a sync that an outage ended halfway. */
export async function listDigestsOfPersons(
  db: Db,
  { userId, digestDate }: UserKey & { digestDate: string },
): Promise<schema.DigestOfPerson[]> {
  return sql`
    select digests.dialog_id, dialogs.peer_name, digests.summary, digests.sources
    from digests join dialogs on dialogs.id = digests.dialog_id and dialogs.peer_type = 'user'
    where digests.user_id = ${userId} and digests.digest_date = ${digestDate} and digests.summary <> '' and digests.sources is not null
  `.read(db, schema.digestOfPersonRow);
}
