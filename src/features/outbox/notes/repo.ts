import type { Knex } from 'knex';
import type { Db, Rows } from '../../../lib/db.ts';
import { ADMIN_FAILURES } from '../../../lib/failures.ts';
import { NO_SQL, sql } from '../../../lib/sql.ts';
import * as outbox from '../repo.ts';
import type { PendingState, WrittenRecord } from '../schema.ts';
import { NOTE_TRANSITIONS, NOTES } from './rules.ts';
import { claimedRow, contentRow, type NoteContent } from './schema.ts';

/* The statements that bring the wanted notes in line with the digests and the links of their conversations. */

/** Notes of a CRM account, optionally of some conversations. */
type NoteScope = { userId: string; portalId: string; dialogIds: readonly string[] | undefined };

/** A short hash of what a note says about its digest. The person's name is left out: a new name is not a new note. */
const CONTENT_HASH = `md5(concat_ws(chr(31), digests.summary, digests.structured::text, digests.message_count,
  digests.engine, extract(epoch from digests.last_message_at)))`;

/** Digests that have a summary and are not being rewritten at this moment. */
const IS_READY = `digests.summary <> '' and digests.status = 'COMPLETE' and not digests.is_excerpt`;

function createBindings({ dialogIds, ...account }: NoteScope, targets: readonly outbox.Target[] = []) {
  return { ...account, dialogIds: dialogIds ? [...dialogIds] : null, ...outbox.bindTargets(targets) };
}

const { mayMove, stateAfter } = outbox.buildStateSql(NOTE_TRANSITIONS);

const IN_SCOPE = `o.portal_id = :portalId
  and (:dialogIds::uuid[] is null or o.dialog_id = any(:dialogIds::uuid[]))`;

/**
 * Drops notes without a contact, on one that the conversation isn't linked to now, or whose link was removed; also
 * notes that may no longer be written: with `isStrict` even those that are in the CRM. Notes that the CRM certainly
 * never got are deleted at once, also those of a contact that is back, to be added anew; unclear ones keep their pause,
 * because the CRM may still get them.
 */
export async function dropUnlinked(
  trx: Db,
  scope: NoteScope,
  { targets, isStrict }: { targets: readonly outbox.Target[]; isStrict: boolean },
): Promise<void> {
  const values = { ...createBindings(scope, targets), isStrict };
  await trx.raw(
    `
    update outbox_notes o set state = ${stateAfter('drop')}, ${outbox.RESET_RETRIES}
    from dialogs
    where o.user_id = :userId and ${IN_SCOPE} and ${mayMove('drop')} and dialogs.id = o.dialog_id
      and not (${outbox.MAY_STAY})
      and (dialogs.crm_contact_id <> o.crm_contact_id or dialogs.match_status in ('UNMATCHED', 'IGNORED')
        or (o.failure = 'CRM_CONTACT_GONE' and dialogs.match_problem is distinct from 'CONTACT_GONE')
        or ((o.crm_id is null or :isStrict) and not exists (select 1 from ${outbox.TARGETS}
          where target.dialog_id = o.dialog_id and target.contact_id = o.crm_contact_id)))
    `,
    values,
  );
  await trx.raw(
    `
    delete from outbox_notes o
    where o.user_id = :userId and ${IN_SCOPE} and o.state = 'unwanted' and ${outbox.NEVER_SENT}
    `,
    values,
  );
}

/**
 * Marks notes whose digest has changed since they were written; refused ones get another chance. Only digests that
 * the database noted as changed are compared. Notes that are just being written or sent are left for the next time.
 */
export async function outdateChanged(trx: Db, scope: NoteScope): Promise<void> {
  await trx.raw(
    `
    with changed as (
      delete from digest_changes change using digests
      where change.user_id = :userId and digests.id = change.digest_id and ${IS_READY}
        and (:dialogIds::uuid[] is null or digests.dialog_id = any(:dialogIds::uuid[]))
        and not exists (select 1 from outbox_notes sent where sent.digest_id = digests.id and sent.claim is not null)
      returning change.digest_id
    )
    update outbox_notes o set ${outbox.requeue(NOTES)} from digests
    where o.user_id = :userId and ${IN_SCOPE} and ${mayMove('outdate')}
      and o.digest_id in (select digest_id from changed) and digests.id = o.digest_id
      and o.content_hash <> ${CONTENT_HASH}
    `,
    createBindings(scope),
  );
}

/** Drops the notes of digests about to be deleted, in every CRM account. Only the digest's id stays, to remove them. */
export async function dropOfDigests(trx: Db, { userId, digestIds }: { userId: string; digestIds: readonly string[] }) {
  const values = { userId, digestIds: [...digestIds] };
  await trx.raw(
    `
    delete from outbox_notes o
    where o.user_id = :userId and o.digest_id = any(:digestIds::uuid[]) and ${outbox.NEVER_SENT}
    `,
    values,
  );
  await trx.raw(
    `
    update outbox_notes o set deleted_digest_id = o.digest_id, content_hash = null, ${outbox.RESET_RETRIES},
      state = case when ${mayMove('drop')} then ${stateAfter('drop')} else o.state end
    where o.user_id = :userId and o.digest_id = any(:digestIds::uuid[])
    `,
    values,
  );
}

/** Tries notes once more that were refused: all, as a person decided about their conversations, or those that are held. */
export async function retryNotes(trx: Db, scope: NoteScope, { onlyHeld }: { onlyHeld: boolean }): Promise<void> {
  const where = scope.dialogIds && sql`o.dialog_id = any(${scope.dialogIds}::uuid[])`;
  await outbox.retryRefused(trx, NOTES, { ...scope, onlyHeld }, where);
}

/** Adds a note whose contact is not known yet for each of these digests that has no note. */
export async function addUndecided(trx: Db, scope: NoteScope, digestIds: readonly string[]): Promise<void> {
  await trx.raw(
    `
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state)
    select user_id, dialog_id, id, job_id, :portalId, '', ${stateAfter('expect')} from digests
    where user_id = :userId and id = any(:digestIds::uuid[])
    on conflict do nothing
    `,
    { ...createBindings(scope), digestIds: [...digestIds] },
  );
}

/** Adds a waiting note for each digest of the targets without one. The sync that wrote the digest counts it as new. */
export async function addMissing(trx: Db, scope: NoteScope, targets: readonly outbox.Target[]): Promise<void> {
  if (targets.length === 0) return;
  await trx.raw(
    `
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state)
    select digests.user_id, digests.dialog_id, digests.id, digests.job_id, :portalId, target.contact_id, ${stateAfter('want')}
    from ${outbox.TARGETS} join digests on digests.dialog_id = target.dialog_id
    where digests.user_id = :userId and ${IS_READY} and not exists (
      select 1 from outbox_notes o where o.user_id = :userId and o.digest_id = digests.id and o.portal_id = :portalId
        and o.state <> 'unwanted')
    on conflict do nothing
    `,
    createBindings(scope, targets),
  );
  await trx.raw(
    `
    update outbox_notes o set job_id = digests.job_id from digests
    where o.user_id = :userId and ${IN_SCOPE} and o.state = 'waiting' and o.crm_id is null
      and digests.id = o.digest_id and o.job_id is distinct from digests.job_id
    `,
    createBindings(scope),
  );
}

/** Attempts to remove a note, after which its successor is written anyway. */
const REMOVAL_TRIES = 3;

/** Limits notes to the digests that one sync wrote (`jobId`), or to all others (`exceptJobId`). */
export type OfJobs = { jobId?: string | undefined; exceptJobId?: string | undefined };

export function filterByJob({ jobId, exceptJobId }: OfJobs): Required<outbox.RowFilter> {
  const ofJob = jobId === undefined ? NO_SQL : sql`and digests.job_id = ${jobId}`;
  const ofOthers = exceptJobId === undefined ? NO_SQL : sql`and digests.job_id is distinct from ${exceptJobId}`;
  return {
    joins: sql`left join digests on digests.id = o.digest_id and digests.user_id = o.user_id`,
    where: sql`true ${ofJob} ${ofOthers}`,
  };
}

/**
 * Claims notes in a state; those to be removed are of any sync. Leaves out notes of a digest that is just being rewritten,
 * and notes whose predecessor is still on another contact.
 */
export async function claimNotes(
  db: Db,
  { state, ofJobs, ...request }: outbox.ClaimRequest & { state: PendingState; ofJobs: OfJobs },
) {
  const { where, ...which } = filterByJob(state === 'unwanted' ? {} : ofJobs);
  const isReady = sql`(o.state = 'unwanted' or (digests.id is not null and digests.status not in ('PENDING', 'SUMMARIZING')))
    and (o.state <> 'waiting' or not exists (select 1 from outbox_notes old where old.digest_id = o.digest_id
      and old.portal_id = o.portal_id and old.state = 'unwanted' and old.tries < ${REMOVAL_TRIES}))`;
  const wanted = sql`o.state = ${state} and ${where} and ${isReady}`;
  await outbox.claimDue(db, NOTES, request, { ...which, where: wanted });
  const rows = await db('outbox_notes')
    .where({ user_id: request.userId, claim: request.claim })
    .orderBy(['created_at', 'id']);
  return rows.map(row => claimedRow.parse(row));
}

/** The current content of the claimed notes, by the id of the note's row. */
export async function loadContents(db: Db, { userId, claim }: outbox.Claim): Promise<Map<string, NoteContent>> {
  const { rows } = await db.raw<Rows>(
    `
    select o.id, o.digest_id, ${CONTENT_HASH} as hash, to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date,
      dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone,
      trim(accounts.first_name || ' ' || accounts.last_name) as user_name,
      digests.message_count, digests.last_message_at, digests.summary, digests.structured, digests.engine
    from outbox_notes o join digests on digests.id = o.digest_id join dialogs on dialogs.id = o.dialog_id
      join messenger_accounts accounts on accounts.id = dialogs.account_id
    where o.user_id = ? and o.claim = ?
    `,
    [userId, claim],
  );
  return new Map(rows.map(row => contentRow.parse(row)).map(content => [content.id, content]));
}

/** Marks notes before they are sent, as the CRM may then have them. Returns those still wanted and claimed. */
export async function markSending(db: Db, { userId, claim }: outbox.Claim, notes: { id: string; hash: string }[]) {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `
    update outbox_notes o set is_unclear = true, content_hash = sent.hash
    from jsonb_to_recordset(?::jsonb) as sent (id uuid, hash text)
    where o.user_id = ? and o.claim = ? and o.id = sent.id and o.state = 'waiting'
    returning o.id
    `,
    [JSON.stringify(notes.map(({ id, hash }) => ({ id, hash }))), userId, claim],
  );
  return new Set(rows.map(row => row.id));
}

/** `hash` of the note's text; by default that of the text marked as being sent. */
type WrittenNote = WrittenRecord & { hash?: string };

/** Records that these notes are in the CRM. One unwanted since then stays so; one with older text is outdated. */
export async function finishWritten(db: Db, { userId, claim }: outbox.Claim, written: readonly WrittenNote[], now: Date) {
  await db.raw(
    `
    update outbox_notes o set crm_id = done."crmId", content_hash = coalesce(done.hash, o.content_hash),
      state = case when not ${mayMove('finish')} then o.state
        when coalesce(done.hash, o.content_hash) = coalesce(
          (select ${CONTENT_HASH} from digests where digests.id = o.digest_id), done.hash, o.content_hash)
        then ${stateAfter('finish')} else ${stateAfter('finishLate')} end,
      ${outbox.CLEAR_CLAIM}, written_at = ?
    from jsonb_to_recordset(?::jsonb) as done (id uuid, "crmId" text, hash text)
    where o.user_id = ? and o.claim = ? and o.id = done.id
    `,
    [now, JSON.stringify(written), userId, claim],
  );
}

/** Marks notes that the CRM no longer has, so that they are created again. */
export async function loseNotes(db: Db, { userId, claim }: outbox.Claim, ids: readonly string[]): Promise<void> {
  await db.raw(
    `
    update outbox_notes o set crm_id = null, ${outbox.CLEAR_CLAIM},
      state = case when ${mayMove('lose')} then ${stateAfter('lose')} else o.state end
    where o.user_id = :userId and o.claim = :claim and o.id = any(:ids::uuid[])
    `,
    { userId, claim, ids: [...ids] },
  );
}

export async function countNewNotes(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<number> {
  const [row] = await db('outbox_notes')
    .where({ user_id: userId, job_id: jobId })
    .whereNotNull('crm_id')
    .count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** Limits a query to notes that are refused until the CRM's administrator, or the user, changes something. */
const whereWaitsForAdmin = (query: Knex.QueryBuilder) =>
  query.whereIn('outbox_notes.state', ['failed']).whereIn('outbox_notes.failure', [...ADMIN_FAILURES]);

/** Rows of this table that belong to the CRM account connected last. */
function selectOfAccount(db: Db, table: string, userId: string) {
  return db(table)
    .join('crm_connections', 'crm_connections.user_id', `${table}.user_id`)
    .where({ [`${table}.user_id`]: userId })
    .whereRaw('crm_connections.portal_id = ??', [`${table}.portal_id`]);
}

function selectWaitingNotes(db: Db, userId: string) {
  return selectOfAccount(db, 'outbox_notes', userId)
    .whereNot('crm_connections.status', 'disconnected')
    .where(held => held.whereIn('outbox_notes.state', ['waiting', 'outdated']).orWhere(whereWaitsForAdmin));
}

/** Notes that wait for a CRM that is connected, or that the person has to sign in to again. */
export async function countWaitingNotes(db: Db, userId: string): Promise<number> {
  const [row] = await selectWaitingNotes(db, userId).count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** The state of the user's notes for the settings, and whether the CRM refuses notes or tasks on contacts. */
export async function getNoteStatus(db: Db, userId: string) {
  const refused = (table: string) =>
    selectOfAccount(db, table, userId)
      .where({ failure: 'CRM_ASSOCIATION_REFUSED' })
      .whereIn('state', ['failed'])
      .select('state');
  const [row] = await db.select<{ waiting: string; last: Date | null; refused: boolean }[]>(
    selectWaitingNotes(db, userId).count().as('waiting'),
    selectOfAccount(db, 'outbox_notes', userId).max('written_at').as('last'),
    db.raw('(exists(?) or exists(?)) as refused', [refused('outbox_notes'), refused('outbox_tasks')]),
  );
  return {
    /** Number of notes that {@link countWaitingNotes} counts. */
    waiting: Number(row?.waiting ?? 0),
    /** When a note was last written to the most recently connected CRM account; null before the first. */
    lastNoteAt: row?.last ?? null,
    /** The account doesn't let the user put notes, or tasks, on contacts. */
    isAssociationRefused: row?.refused ?? false,
  };
}

/*
 * A note's row outlives its digest, as the note does in the CRM: it says which note of ours is on which contact, so
 * that it can be removed with the link, and is counted there. Without the digest there is nothing left to write the
 * note from, and without a digest no note is planned, so nothing is written twice.
 */

/** Notes without a digest that no process is about to send. */
const selectLeftOver = (which: string) => `
  select id from outbox_notes o
  where digest_id is null and ${mayMove('settle')} and ${which} and ${outbox.IS_FREE}
  limit ? for update skip locked`;

/**
 * Settles all users' notes whose digest is no longer kept: those the CRM never got are deleted, the others are kept.
 * @returns how many, at most `limit` of each
 */
export async function settleNotesOfAllUsers(db: Db, { limit }: { limit: number }): Promise<number> {
  const gone = await db.raw<{ rowCount: number }>(
    `delete from outbox_notes where id in (${selectLeftOver('crm_id is null')})`,
    [limit],
  );
  const kept = await db.raw<{ rowCount: number }>(
    `update outbox_notes set state = ${stateAfter('settle')}, tries = 0, failure = null, claim = null, claimed_until = null
     where id in (${selectLeftOver('crm_id is not null')})`,
    [limit],
  );
  return gone.rowCount + kept.rowCount;
}
