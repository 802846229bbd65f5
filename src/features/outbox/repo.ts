import { z } from 'zod';
import { type Db, lockNamed, type Rows, rowReader, toSnakeCase } from '../../lib/db.ts';
import { ADMIN_FAILURES } from '../../lib/failures.ts';
import { PENDING_STATES, type RecordKind } from './schema.ts';

/* SQL that notes and tasks share, with the outbox row as `o`. Columns of only one of them are handled in its repo. */

/** Claims are measured by the database's clock, which all processes share. */
export const CLAIM_SECONDS = 30;
const IN_SECONDS = `now() + ? * interval '1 second'`;

type Portal = { userId: string; portalId: string };
/** Rows claimed by a process. */
export type Claim = { userId: string; claim: string };
export type ClaimRequest = Portal & { claim: string; limit: number };
/** Narrows a statement: SQL that joins to a row `o`, a condition over both, and its bindings. */
export type RowFilter = { joins?: string; where?: string; bindings?: Record<string, unknown> };

/** SQL: whether a row is in a state that a move may start from, and the state after it. */
export function buildStateSql<M extends string>(moves: Record<M, { from: readonly string[]; to: string }>) {
  return {
    mayMove: (move: M) => `o.state in ('${moves[move].from.join("', '")}')`,
    stateAfter: (move: M) => `'${moves[move].to}'`,
  };
}

export const IS_FREE = '(o.claim is null or o.claimed_until < now())';
const IS_DUE = '(o.claimed_until is null or o.claimed_until <= now())';
const IS_PENDING = `o.state in ('${PENDING_STATES.join("', '")}')`;
/** The CRM never got it, and no process is about to send it. */
export const NEVER_SENT = `o.crm_id is null and not o.is_unclear and ${IS_FREE}`;
/** The conversation's contact was not looked up in this CRM account yet, so it may be the record's. */
export const MAY_STAY = `o.crm_id is not null and dialogs.match_status = 'UNMATCHED' and dialogs.match_evaluated_at is null`;
/** Resets the retries of a dropped row. An unclear one keeps its pause: the CRM may still get it. */
export const RESET_RETRIES = `tries = 0, failure = null,
  claimed_until = case when o.claim is null and not o.is_unclear then null else o.claimed_until end`;
/** Releases the row after the CRM has answered. */
export const CLEAR_CLAIM = 'is_unclear = false, tries = 0, failure = null, claim = null, claimed_until = null';

/** A conversation whose records may be written, and to which contact. */
export type Target = { dialogId: string; contactId: string };
/** SQL: rows `target` of what {@link bindTargets} gives. */
export const TARGETS = 'jsonb_to_recordset(:targets::jsonb) as target (dialog_id uuid, contact_id text)';

export function bindTargets(targets: readonly Target[]): { targets: string } {
  const rows = targets.map(({ dialogId, contactId }) => ({ dialog_id: dialogId, contact_id: contactId }));
  return { targets: JSON.stringify(rows) };
}

/** SQL: sets a row to be written again, even if the CRM refused it before. */
export function requeue({ transitions }: Pick<RecordKind, 'transitions'>): string {
  const { stateAfter } = buildStateSql(transitions);
  return `state = case when o.crm_id is null then ${stateAfter('writeAgain')} else ${stateAfter('outdate')} end,
    tries = 0, failure = null, claimed_until = case o.state when ${stateAfter('refuse')} then null else o.claimed_until end`;
}

/**
 * Takes a lock until the transaction ends, so that one process at a time plans a user's records of a kind, or stores
 * their outcome: otherwise each would wait for rows that the other has locked.
 */
export async function lockPlan(trx: Db, { name }: RecordKind, userId: string): Promise<void> {
  await lockNamed(trx, name, userId);
}

/** Moves rows to the survivors of merged contacts, as the CRM does with records. `ofDialog` joins them to `dialogs`. */
export async function followMerges(trx: Db, { name, table }: RecordKind, { userId, portalId }: Portal, ofDialog: string) {
  await trx.raw(
    `
    update ${table} o set crm_contact_id = dialogs.crm_contact_id ${name === 'notes' ? ', contact_synced_at = null' : ''} from dialogs
    where o.user_id = :userId and o.portal_id = :portalId and dialogs.user_id = :userId and ${ofDialog}
      and o.crm_contact_id = any(dialogs.merged_contact_ids)
    `,
    { userId, portalId },
  );
}

const claimedBy = (db: Db, { table }: RecordKind, { userId, claim }: Claim) => db(table).where({ user_id: userId, claim });

/** Claims the oldest due rows for this process alone. */
export async function claimDue(db: Db, kind: RecordKind, request: ClaimRequest, filter: RowFilter): Promise<void> {
  await db.raw(
    `
    with due as (
      select o.id from ${kind.table} o ${filter.joins ?? ''}
      where o.user_id = :userId and o.portal_id = :portalId and ${IS_DUE} and ${filter.where ?? true}
      order by o.created_at, o.id limit :limit for update of o skip locked
    )
    update ${kind.table} o set claim = :claim, claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    from due where o.id = due.id
    `,
    { ...request, ...filter.bindings },
  );
}

/** Extends the claim by its full length. */
export async function extendClaim(db: Db, kind: RecordKind, claimed: Claim): Promise<void> {
  await claimedBy(db, kind, claimed).update({ claimed_until: db.raw(IN_SECONDS, [CLAIM_SECONDS]) });
}

/** Releases everything still claimed; it is not touched again for `pauseSeconds`. */
export async function releaseClaim(
  db: Db,
  kind: RecordKind,
  claimed: Claim,
  { failure, pauseSeconds }: { failure: string | null; pauseSeconds: number },
): Promise<void> {
  await claimedBy(db, kind, claimed).update({ failure, claim: null, claimed_until: db.raw(IN_SECONDS, [pauseSeconds]) });
}

/** Deletes rows of records that were removed from the CRM, or never were in it. */
export async function deleteClaimed(db: Db, kind: RecordKind, claimed: Claim, ids: readonly string[]): Promise<void> {
  await claimedBy(db, kind, claimed).whereIn('id', ids).delete();
}

type RecordRefusal = {
  ids: readonly string[];
  failure: string;
  /** Number of tries after which the refusal is final. */
  tries: number;
  pauseSeconds: number;
  /** An earlier call about them may have been carried out. */
  mayBeThere: boolean;
};

/** Stores that the CRM refused these records. */
export async function refuseRecords(
  db: Db,
  { table, transitions }: RecordKind,
  { userId, claim }: Claim,
  { ids, ...refusal }: RecordRefusal,
) {
  const { mayMove, stateAfter } = buildStateSql(transitions);
  await db.raw(
    `
    update ${table} o set tries = o.tries + 1, failure = :failure, failed_at = now(), claim = null,
      is_unclear = o.is_unclear and :mayBeThere,
      state = case when o.tries + 1 >= :tries and ${mayMove('refuse')} then ${stateAfter('refuse')} else o.state end,
      claimed_until = now() + :pauseSeconds * interval '1 second'
    where o.user_id = :userId and o.claim = :claim and o.id = any(:ids::uuid[])
    `,
    { userId, claim, ids: [...ids], ...refusal },
  );
}

/** Tries refused records once more: all, or those that waited for the account's administrator, or the person. */
export async function retryRefused(
  trx: Db,
  kind: RecordKind,
  { userId, portalId, onlyHeld }: Portal & { onlyHeld: boolean },
  { where = 'true', bindings: extraBindings }: RowFilter = {},
): Promise<void> {
  await trx.raw(
    `
    update ${kind.table} o set ${requeue(kind)}
    where o.user_id = :userId and o.portal_id = :portalId and o.state = ${buildStateSql(kind.transitions).stateAfter('refuse')}
      and (not :onlyHeld or o.failure = any(:held)) and ${where}
    `,
    { userId, portalId, onlyHeld, held: [...ADMIN_FAILURES], ...extraBindings },
  );
}

/** Seconds until the first record to do may be tried, 0 if it may be now; undefined if there is nothing to do. */
export async function findNextTry(
  db: Db,
  { table }: RecordKind,
  { userId, portalId }: Portal,
  { joins = '', where = 'true', bindings: extraBindings }: RowFilter = {},
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { seconds: string | null }[] }>(
    `
    select min(greatest(0, coalesce(extract(epoch from o.claimed_until - now()), 0))) as seconds from ${table} o ${joins}
    where o.user_id = :userId and o.portal_id = :portalId and ${IS_PENDING} and ${where}
    `,
    { userId, portalId, ...extraBindings },
  );
  const seconds = rows[0]?.seconds ?? null;
  return seconds === null ? undefined : Number(seconds);
}

/** Users with records of this kind that are due and unclaimed. */
export async function listOwnersOfAllUsers(db: Db, { table, writtenIf }: RecordKind): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { user_id: string }[] }>(`
    select distinct o.user_id from ${table} o join crm_connections c on c.user_id = o.user_id and c.portal_id = o.portal_id
    where c.status = 'active' and ${writtenIf ? `c.${toSnakeCase(writtenIf)}` : true} and ${IS_PENDING} and ${IS_DUE}
  `);
  return rows.map(row => row.user_id);
}

/** The values of our properties of a contact. */
const facts = z.object({
  contactId: z.string(),
  /** Digests whose note is on the contact, of all users with this CRM account: the property has one value for them all. */
  digestCount: z.coerce.number(),
  /** The messenger account of the person in a conversation whose notes go there; '' when there are only groups. */
  messengerUserId: z.string().nullable().transform(orEmpty),
  messengerUsername: z.string().nullable().transform(orEmpty),
  /** Whether we set these two on the contact before. */
  isNamed: z.boolean().nullable().transform(Boolean),
});
const factsRow = rowReader(facts, { crm_contact_id: 'contactId' });
export type ContactFacts = z.output<typeof facts>;

function orEmpty(text: string | null): string {
  return text ?? '';
}

const IS_IN_CRM = `n.portal_id = :portalId and n.crm_id is not null
  and n.state in ('written', 'outdated')`;

const OWN_WITH_PERSON = `n.user_id = :userId and dialogs.peer_type = 'user'`;

/** Among a contact's conversations, the one whose note was created first names it. */
const CONTACT_FACTS = `
  select asked.id as crm_contact_id, count(n.id) as digest_count,
    (array_agg(dialogs.peer_key order by n.created_at, n.id) filter (where ${OWN_WITH_PERSON}))[1] as messenger_user_id,
    (array_agg(dialogs.peer_username order by n.created_at, n.id) filter (where ${OWN_WITH_PERSON}))[1] as messenger_username,
    bool_or(n.names_contact) filter (where n.user_id = :userId) as is_named
  from unnest(:contactIds::text[]) as asked (id)
    left join outbox_notes n on n.crm_contact_id = asked.id and ${IS_IN_CRM}
      and n.user_id in (select user_id from crm_connections where portal_id = :portalId)
    left join dialogs on dialogs.id = n.dialog_id
  group by asked.id`;

/** Contacts with notes written since their properties were last brought up to date, at most `limit`. */
export async function listOutdatedContacts(db: Db, { limit, ...owner }: Portal & { limit: number }) {
  const { rows } = await db.raw<{ rows: { crm_contact_id: string }[] }>(
    `select distinct n.crm_contact_id from outbox_notes n
     where n.user_id = :userId and ${IS_IN_CRM} and (n.contact_synced_at is null or n.contact_synced_at < n.written_at) limit :limit`,
    { ...owner, limit },
  );
  return listFacts(db, { ...owner, contactIds: rows.map(row => row.crm_contact_id) });
}

export async function listFacts(db: Db, query: Portal & { contactIds: readonly string[] }): Promise<ContactFacts[]> {
  if (query.contactIds.length === 0) return [];
  const { rows } = await db.raw<Rows>(CONTACT_FACTS, { ...query, contactIds: [...query.contactIds] });
  return rows.map(row => factsRow.parse(row));
}

/** Records that these contacts are up to date, and which of them got their messenger account's name from us. */
export async function markUpToDate(
  db: Db,
  { userId, portalId }: Portal,
  { contactIds, namedIds, now }: { contactIds: readonly string[]; namedIds: readonly string[]; now: Date },
): Promise<void> {
  await db('outbox_notes')
    .where({ user_id: userId, portal_id: portalId })
    .whereIn('crm_contact_id', contactIds)
    .whereIn('state', ['written', 'outdated'])
    .update({
      // The note may have been written by a process whose clock is ahead.
      contact_synced_at: db.raw('greatest(?::timestamptz, written_at)', [now]),
      names_contact: db.raw('names_contact or crm_contact_id = any(?)', [[...namedIds]]),
    });
}

type ContactNaming = { contactId: string; messengerUserId: string; messengerUsername: string };

/** Contacts that got a messenger account's name from us because of a note that is now being removed. */
export async function listNamedContacts(db: Db, { userId, claim }: Claim): Promise<ContactNaming[]> {
  const named = { contactId: 'outbox_notes.crm_contact_id', messengerUserId: 'peer_key' };
  return db('outbox_notes')
    .join('dialogs', 'dialogs.id', 'outbox_notes.dialog_id')
    .where({ 'outbox_notes.user_id': userId, claim, names_contact: true })
    .distinct({ ...named, messengerUsername: 'peer_username' });
}
