import { type Db, type RowReader, toSnakeCase } from '../../lib/db.ts';
import { ADMIN_FAILURES } from '../../lib/failures.ts';
import { NO_SQL, rawSql, type Sql, sql } from '../../lib/sql.ts';
import { PENDING_STATES, type PendingState, type RecordKind } from './schema.ts';

/* SQL that notes and tasks share, with the outbox row as `o`. Columns of only one of them are handled in its repo. */

/** Claims are measured by the database's clock, which all processes share. */
export const CLAIM_SECONDS = 30;
const inSeconds = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`;

export type Portal = { userId: string; portalId: string };
/** Rows claimed by a process. */
export type Claim = { userId: string; claim: string };
/** Narrows a statement: what joins to a row `o`, and a condition over both. */
export type RowFilter = { joins?: Sql; where?: Sql };
/** How claimed rows `o` of a kind are read: the columns, and what joins to a row for them. */
export type ClaimedRows<One> = { columns: Sql; joins: Sql; reader: RowReader<One> };
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
/** SQL: these as rows `target`. */
export function rowsOf(targets: readonly Target[]): Sql {
  const [dialogIds, contactIds] = [targets.map(({ dialogId }) => dialogId), targets.map(({ contactId }) => contactId)];
  return sql`unnest(${dialogIds}::uuid[], ${contactIds}::text[]) as target (dialog_id, contact_id)`;
}

/** Sets a row to be written again, even if the CRM refused it before. */
export function requeue({ transitions }: Pick<RecordKind, 'transitions'>): Sql {
  const { stateAfter } = buildStateSql(transitions);
  return sql`state = case when o.crm_id is null then ${stateAfter('writeAgain')} else ${stateAfter('outdate')} end,
    tries = 0, failure = null, claimed_until = case o.state when ${stateAfter('refuse')} then null else o.claimed_until end`;
}

const claimedBy = (db: Db, { table }: RecordKind, { userId, claim }: Claim) => db(table).where({ user_id: userId, claim });

/** Of any state if none is given. */
type ClaimRequest = Portal & { claim: string; limit: number; state?: PendingState | undefined };

/** Claims the oldest due rows for this process alone. Returns them with what the kind joins to them. */
export async function claimRecords<One>(
  db: Db,
  kind: RecordKind,
  { userId, portalId, claim, limit, state }: ClaimRequest,
  { rows, joins = NO_SQL, where = ANY_ROW }: RowFilter & { rows: ClaimedRows<One> },
): Promise<One[]> {
  const table = rawSql(kind.table);
  return sql`
    with due as (
      select o.id from ${table} o ${joins}
      where o.user_id = ${userId} and o.portal_id = ${portalId} and ${IS_DUE} and ${where}
        and ${state === undefined ? ANY_ROW : sql`o.state = ${state}`}
      order by o.created_at, o.id limit ${limit} for update of o skip locked
    ), claimed as (
      update ${table} o set claim = ${claim}, claimed_until = ${inSeconds(CLAIM_SECONDS)} from due where o.id = due.id
      returning o.*
    )
    select ${rows.columns} from claimed o ${rows.joins} order by o.created_at, o.id
  `.read(db, rows.reader);
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
