import { z } from 'zod';
import { type Db, lockNamed, rowReader, toSnakeCase } from '../../lib/db.ts';
import { ADMIN_FAILURES } from '../../lib/failures.ts';
import { NO_SQL, rawSql, type Sql, sql } from '../../lib/sql.ts';
import { PENDING_STATES, type RecordKind } from './schema.ts';

/* SQL that notes and tasks share, with the outbox row as `o`. Columns of only one of them are handled in its repo. */

/** Claims are measured by the database's clock, which all processes share. */
export const CLAIM_SECONDS = 30;
const inSeconds = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`;

type Portal = { userId: string; portalId: string };
/** Rows claimed by a process. */
export type Claim = { userId: string; claim: string };
export type ClaimRequest = Portal & { claim: string; limit: number };
/** Narrows a statement: what joins to a row `o`, and a condition over both. */
export type RowFilter = { joins?: Sql; where?: Sql };
const ANY_ROW = sql`true`;

/** Whether a row is in a state that a move may start from, and the state after it. */
export function buildStateSql<M extends string>(moves: Record<M, { from: readonly string[]; to: string }>) {
  return {
    mayMove: (move: M) => rawSql(`o.state in ('${moves[move].from.join("', '")}')`),
    stateAfter: (move: M) => rawSql(`'${moves[move].to}'`),
  };
}

export const IS_FREE = sql`(o.claim is null or o.claimed_until < now())`;
const IS_DUE = sql`(o.claimed_until is null or o.claimed_until <= now())`;
const IS_PENDING = rawSql(`o.state in ('${PENDING_STATES.join("', '")}')`);
/** The CRM never got it, and no process is about to send it. */
export const NEVER_SENT = sql`o.crm_id is null and not o.is_unclear and ${IS_FREE}`;
/** The conversation's contact was not looked up in this CRM account yet, so it may be the record's. */
export const MAY_STAY = sql`o.crm_id is not null and dialogs.match_status = 'UNMATCHED' and dialogs.match_evaluated_at is null`;
/** Resets the retries of a dropped row. An unclear one keeps its pause: the CRM may still get it. */
export const RESET_RETRIES = sql`tries = 0, failure = null,
  claimed_until = case when o.claim is null and not o.is_unclear then null else o.claimed_until end`;
/** Releases the row after the CRM has answered. */
export const CLEAR_CLAIM = sql`is_unclear = false, tries = 0, failure = null, claim = null, claimed_until = null`;

/** A conversation whose records may be written, and to which contact. */
export type Target = { dialogId: string; contactId: string };
/** SQL: rows `target` of what {@link bindTargets} gives. */
export const TARGETS = 'jsonb_to_recordset(:targets::jsonb) as target (dialog_id uuid, contact_id text)';

export function bindTargets(targets: readonly Target[]): { targets: string } {
  const rows = targets.map(({ dialogId, contactId }) => ({ dialog_id: dialogId, contact_id: contactId }));
  return { targets: JSON.stringify(rows) };
}

/** Sets a row to be written again, even if the CRM refused it before. */
export function requeue({ transitions }: Pick<RecordKind, 'transitions'>): Sql {
  const { stateAfter } = buildStateSql(transitions);
  return sql`state = case when o.crm_id is null then ${stateAfter('writeAgain')} else ${stateAfter('outdate')} end,
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
export async function followMerges(trx: Db, kind: RecordKind, { userId, portalId }: Portal, ofDialog: string) {
  const table = rawSql(kind.table);
  await sql`
    update ${table} o set crm_contact_id = dialogs.crm_contact_id ${rawSql(kind.name === 'notes' ? ', contact_synced_at = null' : '')}
    from dialogs
    where o.user_id = ${userId} and o.portal_id = ${portalId} and dialogs.user_id = ${userId} and ${rawSql(ofDialog)}
      and o.crm_contact_id = any(dialogs.merged_contact_ids)
  `.rows(trx);
}

const claimedBy = (db: Db, { table }: RecordKind, { userId, claim }: Claim) => db(table).where({ user_id: userId, claim });

/** Claims the oldest due rows for this process alone. */
export async function claimDue(
  db: Db,
  kind: RecordKind,
  { userId, portalId, claim, limit }: ClaimRequest,
  { joins = NO_SQL, where = ANY_ROW }: RowFilter,
): Promise<void> {
  const table = rawSql(kind.table);
  await sql`
    with due as (
      select o.id from ${table} o ${joins}
      where o.user_id = ${userId} and o.portal_id = ${portalId} and ${IS_DUE} and ${where}
      order by o.created_at, o.id limit ${limit} for update of o skip locked
    )
    update ${table} o set claim = ${claim}, claimed_until = ${inSeconds(CLAIM_SECONDS)} from due where o.id = due.id
  `.rows(db);
}

export async function extendClaim(db: Db, kind: RecordKind, claimed: Claim): Promise<void> {
  await claimedBy(db, kind, claimed).update({ claimed_until: inSeconds(CLAIM_SECONDS).toRaw(db) });
}

/** Releases everything still claimed; it is not touched again for `pauseSeconds`. */
export async function releaseClaim(
  db: Db,
  kind: RecordKind,
  claimed: Claim,
  { failure, pauseSeconds }: { failure: string | null; pauseSeconds: number },
): Promise<void> {
  await claimedBy(db, kind, claimed).update({ failure, claim: null, claimed_until: inSeconds(pauseSeconds).toRaw(db) });
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
  kind: RecordKind,
  { userId, claim }: Claim,
  { ids, failure, tries, pauseSeconds, mayBeThere }: RecordRefusal,
) {
  const table = rawSql(kind.table);
  const { mayMove, stateAfter } = buildStateSql(kind.transitions);
  await sql`
    update ${table} o set tries = o.tries + 1, failure = ${failure}, failed_at = now(), claim = null,
      is_unclear = o.is_unclear and ${mayBeThere}, claimed_until = ${inSeconds(pauseSeconds)},
      state = case when o.tries + 1 >= ${tries} and ${mayMove('refuse')} then ${stateAfter('refuse')} else o.state end
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = any(${ids}::uuid[])
  `.rows(db);
}

/** Tries refused records once more: all, or those that waited for the account's administrator, or the person. */
export async function retryRefused(
  trx: Db,
  kind: RecordKind,
  { userId, portalId, onlyHeld }: Portal & { onlyHeld: boolean },
  where: Sql = ANY_ROW,
): Promise<void> {
  const table = rawSql(kind.table);
  await sql`
    update ${table} o set ${requeue(kind)}
    where o.user_id = ${userId} and o.portal_id = ${portalId} and o.state = ${buildStateSql(kind.transitions).stateAfter('refuse')}
      and ${onlyHeld ? sql`o.failure = any(${ADMIN_FAILURES})` : ANY_ROW} and ${where}
  `.rows(trx);
}

/** Seconds until the first record to do may be tried, 0 if it may be now; undefined if there is nothing to do. */
export async function findNextTry(
  db: Db,
  kind: RecordKind,
  { userId, portalId }: Portal,
  { joins = NO_SQL, where = ANY_ROW }: RowFilter = {},
): Promise<number | undefined> {
  const table = rawSql(kind.table);
  const [next] = await sql`
    select min(greatest(0, coalesce(extract(epoch from o.claimed_until - now()), 0))) as seconds from ${table} o ${joins}
    where o.user_id = ${userId} and o.portal_id = ${portalId} and ${IS_PENDING} and ${where}
  `.rows<{ seconds: string | null }>(db);
  const seconds = next?.seconds ?? null;
  return seconds === null ? undefined : Number(seconds);
}

export async function listOwnersOfAllUsers(db: Db, kind: RecordKind): Promise<string[]> {
  const table = rawSql(kind.table);
  const mayWrite = kind.writtenIf ? rawSql(`c.${toSnakeCase(kind.writtenIf)}`) : ANY_ROW;
  const owners = await sql`
    select distinct o.user_id from ${table} o join crm_connections c on c.user_id = o.user_id and c.portal_id = o.portal_id
    where c.status = 'active' and ${mayWrite} and ${IS_PENDING} and ${IS_DUE}
  `.rows<{ user_id: string }>(db);
  return owners.map(owner => owner.user_id);
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

const IS_IN_CRM = sql`n.crm_id is not null and n.state in ('written', 'outdated')`;

/** Contacts with notes written since their properties were last brought up to date, at most `limit`. */
export async function listOutdatedContacts(db: Db, { limit, ...portal }: Portal & { limit: number }) {
  const rows = await sql`
    select distinct n.crm_contact_id from outbox_notes n
    where n.user_id = ${portal.userId} and n.portal_id = ${portal.portalId} and ${IS_IN_CRM}
      and (n.contact_synced_at is null or n.contact_synced_at < n.written_at) limit ${limit}
  `.rows<{ crm_contact_id: string }>(db);
  return listFactsOfAllUsers(db, { ...portal, contactIds: rows.map(row => row.crm_contact_id) });
}

/** What to write to these contacts. All users of the CRM account count; who names a contact is the user's first note there. */
export async function listFactsOfAllUsers(
  db: Db,
  { userId, portalId, contactIds }: Portal & { contactIds: readonly string[] },
): Promise<ContactFacts[]> {
  if (contactIds.length === 0) return [];
  const ownWithPerson = sql`n.user_id = ${userId} and dialogs.peer_type = 'user'`;
  return sql`
    select asked.id as crm_contact_id, count(n.id) as digest_count,
      (array_agg(dialogs.peer_key order by n.created_at, n.id) filter (where ${ownWithPerson}))[1] as messenger_user_id,
      (array_agg(dialogs.peer_username order by n.created_at, n.id) filter (where ${ownWithPerson}))[1] as messenger_username,
      bool_or(n.names_contact) filter (where n.user_id = ${userId}) as is_named
    from unnest(${contactIds}::text[]) as asked (id)
      left join outbox_notes n on n.crm_contact_id = asked.id and n.portal_id = ${portalId} and ${IS_IN_CRM}
        and n.user_id in (select user_id from crm_connections where portal_id = ${portalId})
      left join dialogs on dialogs.id = n.dialog_id
    group by asked.id
  `.read(db, factsRow);
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
