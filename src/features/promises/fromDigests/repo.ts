import type { ItemLeftOpen } from '../../../clients/summarizer/types.ts';
import { asJson, type Db, type Owner, type Rows } from '../../../lib/db.ts';
import { isQuote, LIVE, SOURCES } from '../fragments.ts';
import { lockViews, OWNER, PEOPLE, PREVIOUS, PREVIOUS_AND_DUE } from '../repo.ts';
import { CLOSING_TRANSITIONS, TRANSITIONS } from '../rules.ts';
import { mergeDigestPromises } from './mergeDigestPromises.ts';
import { isDated } from './rules.ts';
import * as schema from './schema.ts';

type OfDialogs = Owner & { dialogIds: readonly string[] };

/**
 * Locks these conversations' promises and read marker for the transaction, in a fixed order against deadlocks: a page that
 * shows more of them waits.
 */
export async function lockPromisesOfDialogs(db: Db, { userId, dialogIds }: OfDialogs): Promise<void> {
  await lockViews(db, { userId });
  await db('dialogs').where({ user_id: userId }).whereIn('id', dialogIds).orderBy('id').forNoKeyUpdate().select('id');
}

/** SQL of `promises p`: the words that messages are compared with, in their language unless the user wrote them. */
const WORDS = `case when 'words' = any(p.edited) then p.words else coalesce(p.said_words, p.words) end`;
const IS_GROUP = `(select peer_type <> 'user' from dialogs where id = p.dialog_id and user_id = :userId)`;
const SOURCES_IN_GROUP = `case when ${IS_GROUP} then (${SOURCES}) end`;

/** Limit of a conversation's promises compared with a new digest; open ones come first. */
const MAX_KNOWN_PROMISES = 100;

/** Keyed by conversation. */
export async function listKnownPromises(
  db: Db,
  { userId, dialogIds }: OfDialogs,
): Promise<Map<string, schema.KnownPromise[]>> {
  const { rows } = await db.raw<Rows>(
    `
    select known.* from unnest(:dialogIds::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, item_id, direction, who, ${WORDS} as words, p.words as shown_words, kind, to_char(due_date, 'YYYY-MM-DD') as due_date,
        due_time, source_message_ids,
        request, 'side' = any(edited) as is_side_edited, ${LIVE} as is_open, ${SOURCES_IN_GROUP} as sources
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = :userId
      order by ${LIVE} desc, last_said_on desc, item_id limit ${MAX_KNOWN_PROMISES}
    ) as known
    `,
    { userId, dialogIds },
  );
  return Map.groupBy(
    rows.map(row => schema.knownPromiseRow.parse(row)),
    ({ dialogId }) => dialogId,
  );
}

/** Whether the user saw the promise on a page, in an email or as a task in the CRM: such a one never disappears. */
const WAS_SEEN = `(p.number <= coalesce((select last_seen_number from promise_read_markers where user_id = :userId), 0)
  or exists (select from outbox_tasks where promise_id = p.id and user_id = :userId and crm_id is not null))`;

const DAYS = ['first_said_on', 'last_said_on', 'due_date', 'moved_from', 'snoozed_until'];
/** The columns that merging reads and writes. */
const STORED = Object.keys(schema.storedPromiseRow.columns(schema.storedPromise.shape)).filter(
  column => !['number', 'was_shown', 'replaces'].includes(column),
);
const READ = STORED.map(column =>
  DAYS.includes(column) ? `to_char(p.${column}, 'YYYY-MM-DD') as ${column}` : `p.${column}`,
);

/** Updates the promises of digests just written from their items, as {@link mergeDigestPromises} decides. */
export async function recordPromises(
  db: Db,
  { userId, now }: Owner & { now: Date },
  digests: readonly schema.DigestPromises[],
): Promise<void> {
  const digestIds = digests.map(({ digestId }) => digestId);
  const dialogIds = digests.map(({ dialogId }) => dialogId);
  const itemIds = digests.flatMap(({ structured }) => structured.actionItems.map(({ id }) => id));
  const { rows } = await db.raw<Rows>(
    `
    select ${READ.join(', ')}, p.number::float8 as number, ${WAS_SEEN} as was_shown, ${PREVIOUS} as replaces
    from promises p where p.user_id = :userId and (p.last_digest_id = any(:digestIds::uuid[])
      or p.dialog_id = any(:dialogIds::uuid[]) and p.item_id = any(:itemIds::text[]))
    order by p.id for no key update of p
    `,
    { userId, digestIds, dialogIds, itemIds },
  );
  const known = rows.map(row => schema.storedPromiseRow.parse(row));
  const changed = mergeDigestPromises(known, digests, now);
  if (changed.length === 0) return;
  const columns = STORED.join(', ');
  await db.raw(
    `
    insert into promises (user_id, ${columns})
    select :userId::uuid, ${columns} from jsonb_populate_recordset(null::promises, :changed::jsonb)
    on conflict (id) do update set ${STORED.filter(column => column !== 'id').map(column => `${column} = excluded.${column}`)}
    where promises.user_id = excluded.user_id
    `,
    { userId, changed: asJson(changed.map(promise => schema.storedPromiseRow.columns(promise))) },
  );
}

/** Only this many of a conversation's newest open items are given to whoever writes its next digest. */
const MAX_OPEN_ITEMS = 12;

/** Action items that earlier digests of these conversations left open, by conversation, newest first. */
export async function listItemsLeftOpen(
  db: Db,
  { userId, dialogIds, before }: Owner & { dialogIds: string[]; before: string },
): Promise<Map<string, ItemLeftOpen[]>> {
  if (dialogIds.length === 0) return new Map();
  const { rows } = await db.raw<Rows>(
    `
    select newest.* from unnest(:dialogIds::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, ${WORDS} as text, ${OWNER} as owner, who as owner_name,
        to_char(due_date, 'YYYY-MM-DD') as due_date, to_char(first_said_on, 'YYYY-MM-DD') as since, quoted_at
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = :userId and ${LIVE}
        and first_said_on < :before::date
      order by last_said_on desc, item_id limit ${MAX_OPEN_ITEMS}
    ) as newest
    `,
    { userId, dialogIds, before },
  );
  const items = rows.map(row => schema.itemLeftOpenRow.parse(row));
  const byDialog = Map.groupBy(items, ({ dialogId }) => dialogId);
  return new Map([...byDialog].map(([dialogId, rows]) => [dialogId, rows.map(({ item }) => item)]));
}

const IS_REQUEST = `(p.direction = 'mine' and ${isQuote('p')} and not (p.said_by -> 'fromUser')::boolean
  and p.changed_by is distinct from 'person')`;

/** Only this many of a conversation's newest open promises are checked against its messages. */
const MAX_CHECKED_PROMISES = 40;

/** Open promises by conversation, newest first; in groups with authors and people who had written. */
export async function listOpenPromises(
  db: Db,
  { userId, dialogIds }: OfDialogs,
): Promise<Map<string, schema.OpenPromiseRow[]>> {
  if (dialogIds.length === 0) return new Map();
  const { rows } = await db.raw<Rows>(
    `
    select newest.* from unnest(:dialogIds::uuid[]) as wanted (dialog_id) cross join lateral (
      select dialog_id, id as promise_id, item_id, direction, who, ${WORDS} as text, to_char(due_date, 'YYYY-MM-DD') as due_date,
        to_char(first_said_on, 'YYYY-MM-DD') as said_at, source_message_ids, request, quoted_at, is_doubtful,
        ${IS_REQUEST} as is_request,
        ${SOURCES_IN_GROUP} as sources, case when ${IS_GROUP} then (${PEOPLE}) end as people
      from promises p where p.dialog_id = wanted.dialog_id and p.user_id = :userId and p.state = any(:from)
      order by last_said_on desc, item_id limit ${MAX_CHECKED_PROMISES}
    ) as newest
    `,
    { userId, dialogIds, from: [...TRANSITIONS.keep.from] },
  );
  const byDialog = Map.groupBy(
    rows.map(row => schema.openPromiseRow.parse(row)),
    ({ dialogId }) => dialogId,
  );
  return new Map([...byDialog].map(([dialogId, rows]) => [dialogId, rows.map(({ promise }) => promise)]));
}

const IS_ASKED_AGAIN = `(p.is_doubtful and c.state = 'doubtful')`;
/** A question shows the newest message, and one undo takes it back, whatever messages it rested on. */
const NOW_PREVIOUS = `case when ${IS_ASKED_AGAIN} then p.previous else ${PREVIOUS_AND_DUE} end`;
/** The newest 50 of its messages. */
const EVIDENCE = `case when ${IS_ASKED_AGAIN} then jsonb_set(c.evidence, '{messageIds}', jsonb_path_query_array(
  (p.evidence -> 'messageIds') || (c.evidence -> 'messageIds'), 'lax $[last - 49 to last]')) else c.evidence end`;

/**
 * Closes or moves promises on the evidence of messages, in one statement. Promises that the person decided about stay,
 * and a closing that they undid is not concluded from the same messages again. Returns the ids of changed promises.
 */
export async function applyClosings(
  db: Db,
  { userId, dialogId, now }: Owner & { dialogId: string; now: Date },
  closings: readonly schema.Closing[],
): Promise<Set<string>> {
  const dated = closings
    .filter(isDated)
    .map(closing => ({ ...closing, to: TRANSITIONS[CLOSING_TRANSITIONS[closing.state]].to }));
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `
    update promises p set is_doubtful = c.state = 'doubtful', replaced_by = null, previous = ${NOW_PREVIOUS},
      state = c.to,
      reason = case when c.state = 'handedOver' then 'handedOver' when c.state = 'done' and c."isAnswered" then 'answered' end,
      changed_by = 'automatic', changed_at = :now, evidence = ${EVIDENCE},
      moved_from = case c.state when 'moved' then p.due_date else p.moved_from end,
      due_time = case c.state when 'moved' then null else p.due_time end,
      due_date = case c.state when 'moved' then c."newDueDate" else p.due_date end
    from jsonb_to_recordset(:closings::jsonb) as c ("promiseId" uuid, state text, "to" text, "newDueDate" date, "isAnswered" boolean, evidence jsonb)
    where p.user_id = :userId and p.dialog_id = :dialogId and p.id = c."promiseId" and p.state = any(:from)
      and not p.is_user_decided and not (c.state = 'moved' and 'due' = any(p.edited)) and not (${IS_ASKED_AGAIN} and c.evidence ->> 'when' <= p.evidence ->> 'when') and not p.undone_message_ids &&
        array(select id #>> '{}' from jsonb_path_query(c.evidence, 'lax $.messageIds[*]') as id)
    returning p.id
    `,
    { userId, dialogId, now, closings: asJson(dated), from: [...TRANSITIONS.keep.from] },
  );
  return new Set(rows.map(({ id }) => id));
}
