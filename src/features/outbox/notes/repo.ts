import type { Db } from '../../../lib/db.ts';
import { ADMIN_FAILURES } from '../../../lib/failures.ts';
import { NO_SQL, rawSql, type Sql, sql } from '../../../lib/sql.ts';
import * as outbox from '../repo.ts';
import type { PendingState, WrittenRecord } from '../schema.ts';
import { NOTE_TRANSITIONS, NOTES } from './rules.ts';
import { type ClaimedNote, claimedRow, contentRow, type NoteContent } from './schema.ts';

/* The statements that bring the wanted notes in line with the digests and the links of their conversations. */

/** Notes of a CRM account, optionally of some conversations. */
type NoteScope = { userId: string; portalId: string; dialogIds: readonly string[] | undefined };

const inDialogs = (column: Sql, dialogIds: NoteScope['dialogIds']) =>
  dialogIds ? sql`${column} = any(${dialogIds}::uuid[])` : sql`true`;

const inScope = ({ userId, portalId, dialogIds }: NoteScope) =>
  sql`o.user_id = ${userId} and o.portal_id = ${portalId} and ${inDialogs(sql`o.dialog_id`, dialogIds)}`;

/** A short hash of what a note says about its digest. The person's name is left out: a new name is not a new note. */
const CONTENT_HASH = sql`md5(concat_ws(chr(31), digests.summary, digests.structured::text, digests.message_count,
  digests.engine, extract(epoch from digests.last_message_at)))`;

/** Digests that have a summary and are not being rewritten at this moment. */
const IS_READY = sql`digests.summary <> '' and digests.status = 'COMPLETE' and not digests.is_excerpt`;

const { mayMove, stateAfter } = outbox.buildStateSql(NOTE_TRANSITIONS);

/** Moves notes to the survivors of merged contacts, as the CRM does. */
export async function followMerges(trx: Db, scope: NoteScope): Promise<void> {
  await sql`
    update outbox_notes o set crm_contact_id = dialogs.crm_contact_id, contact_synced_at = null from dialogs
    where ${inScope(scope)} and dialogs.id = o.dialog_id and o.crm_contact_id = any(dialogs.merged_contact_ids)
  `.rows(trx);
}

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
  await sql`
    update outbox_notes o set state = ${stateAfter('drop')}, ${outbox.RESET_RETRIES}
    from dialogs
    where ${inScope(scope)} and ${mayMove('drop')} and dialogs.id = o.dialog_id and not (${outbox.MAY_STAY})
      and (dialogs.crm_contact_id <> o.crm_contact_id or dialogs.match_status in ('UNMATCHED', 'IGNORED')
        or (o.failure = 'CRM_CONTACT_GONE' and dialogs.match_problem is distinct from 'CONTACT_GONE')
        or ((o.crm_id is null or ${isStrict}) and not exists (select from ${outbox.rowsOf(targets)}
          where target.dialog_id = o.dialog_id and target.contact_id = o.crm_contact_id)))
  `.rows(trx);
  await sql`delete from outbox_notes o where ${inScope(scope)} and o.state = 'unwanted' and ${outbox.NEVER_SENT}`.rows(trx);
}

/**
 * Marks notes whose digest has changed since they were written; refused ones get another chance. Only digests that
 * the database noted as changed are compared. Notes that are just being written or sent are left for the next time.
 */
export async function outdateChanged(trx: Db, scope: NoteScope): Promise<void> {
  await sql`
    with changed as (
      delete from digest_changes change using digests
      where change.user_id = ${scope.userId} and digests.id = change.digest_id and ${IS_READY}
        and ${inDialogs(sql`digests.dialog_id`, scope.dialogIds)}
        and not exists (select from outbox_notes sent where sent.digest_id = digests.id and sent.claim is not null)
      returning change.digest_id
    )
    update outbox_notes o set ${outbox.requeue(NOTES)} from digests
    where ${inScope(scope)} and ${mayMove('outdate')} and o.digest_id in (select digest_id from changed)
      and digests.id = o.digest_id and o.content_hash <> ${CONTENT_HASH}
  `.rows(trx);
}

/** Drops the notes of digests about to be deleted, in every CRM account. Only the digest's id stays, to remove them. */
export async function dropOfDigests(trx: Db, { userId, digestIds }: { userId: string; digestIds: readonly string[] }) {
  const ofDigests = sql`o.user_id = ${userId} and o.digest_id = any(${digestIds}::uuid[])`;
  await sql`delete from outbox_notes o where ${ofDigests} and ${outbox.NEVER_SENT}`.rows(trx);
  await sql`
    update outbox_notes o set deleted_digest_id = o.digest_id, content_hash = null, ${outbox.RESET_RETRIES},
      state = case when ${mayMove('drop')} then ${stateAfter('drop')} else o.state end
    where ${ofDigests}
  `.rows(trx);
}

/** Tries notes once more that were refused: all, as a person decided about their conversations, or those that are held. */
export async function retryNotes(trx: Db, scope: NoteScope, { onlyHeld }: { onlyHeld: boolean }): Promise<void> {
  await outbox.retryRefused(trx, NOTES, { ...scope, onlyHeld }, inDialogs(sql`o.dialog_id`, scope.dialogIds));
}

/** Adds a note whose contact is not known yet for each of these digests that has no note. */
export async function addUndecided(trx: Db, { userId, portalId }: NoteScope, digestIds: readonly string[]): Promise<void> {
  await sql`
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state)
    select user_id, dialog_id, id, job_id, ${portalId}, '', ${stateAfter('expect')} from digests
    where user_id = ${userId} and id = any(${digestIds}::uuid[])
    on conflict do nothing
  `.rows(trx);
}

/** Adds a waiting note for each digest of the targets without one. Unsent ones belong to the sync that wrote their digest last. */
export async function addMissing(trx: Db, scope: NoteScope, targets: readonly outbox.Target[]): Promise<void> {
  if (targets.length === 0) return;
  const { userId, portalId } = scope;
  await sql`
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state)
    select digests.user_id, digests.dialog_id, digests.id, digests.job_id, ${portalId}, target.contact_id, ${stateAfter('want')}
    from ${outbox.rowsOf(targets)} join digests on digests.dialog_id = target.dialog_id
    where digests.user_id = ${userId} and ${IS_READY} and not exists (
      select from outbox_notes o where o.user_id = ${userId} and o.digest_id = digests.id and o.portal_id = ${portalId}
        and o.state <> 'unwanted')
    on conflict do nothing
  `.rows(trx);
  await sql`
    update outbox_notes o set job_id = digests.job_id from digests
    where ${inScope(scope)} and o.state = 'waiting' and o.crm_id is null
      and digests.id = o.digest_id and o.job_id is distinct from digests.job_id
  `.rows(trx);
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
 * Which notes may be claimed in a state; those to be removed are of any sync. Leaves out notes of a digest that is just
 * being rewritten, and notes whose predecessor is still on another contact.
 */
export function filterClaimable(state: PendingState, ofJobs: OfJobs): outbox.RowFilter {
  if (state === 'unwanted') return {};
  const { joins, where } = filterByJob(ofJobs);
  const hasPredecessor = sql`exists (select from outbox_notes old where old.digest_id = o.digest_id
    and old.portal_id = o.portal_id and old.state = 'unwanted' and old.tries < ${REMOVAL_TRIES})`;
  return { joins, where: sql`${where} and digests.status not in ('PENDING', 'SUMMARIZING') and not ${hasPredecessor}` };
}

export const NOTE_ROWS: outbox.ClaimedRows<ClaimedNote> = { columns: sql`o.*`, joins: NO_SQL, reader: claimedRow };

/** The current content of the claimed notes, by the id of the note's row. */
export async function loadContents(db: Db, { userId, claim }: outbox.Claim): Promise<Map<string, NoteContent>> {
  const contents = await sql`
    select o.id, o.digest_id, ${CONTENT_HASH} as hash, to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date,
      dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone,
      trim(accounts.first_name || ' ' || accounts.last_name) as user_name,
      digests.message_count, digests.last_message_at, digests.summary, digests.structured, digests.engine
    from outbox_notes o join digests on digests.id = o.digest_id join dialogs on dialogs.id = o.dialog_id
      join messenger_accounts accounts on accounts.id = dialogs.account_id
    where o.user_id = ${userId} and o.claim = ${claim}
  `.read(db, contentRow);
  return new Map(contents.map(content => [content.id, content]));
}

/** Marks notes before they are sent, as the CRM may then have them. Returns those still wanted and claimed. */
export async function markSending(db: Db, { userId, claim }: outbox.Claim, notes: { id: string; hash: string }[]) {
  const rows = await sql`
    update outbox_notes o set is_unclear = true, content_hash = sent.hash
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as sent (id uuid, hash text)
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = sent.id and o.state = 'waiting'
    returning o.id
  `.rows<{ id: string }>(db);
  return new Set(rows.map(row => row.id));
}

/** `hash` of the note's text; by default that of the text marked as being sent. */
type WrittenNote = WrittenRecord & { hash?: string };

/** Records that these notes are in the CRM. One unwanted since then stays so; one with older text is outdated. */
export async function finishWritten(db: Db, { userId, claim }: outbox.Claim, written: readonly WrittenNote[], now: Date) {
  await sql`
    update outbox_notes o set crm_id = done."crmId", content_hash = coalesce(done.hash, o.content_hash),
      state = case when not ${mayMove('finish')} then o.state
        when coalesce(done.hash, o.content_hash) = coalesce(
          (select ${CONTENT_HASH} from digests where digests.id = o.digest_id), done.hash, o.content_hash)
        then ${stateAfter('finish')} else ${stateAfter('finishLate')} end,
      ${outbox.CLEAR_CLAIM}, written_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as done (id uuid, "crmId" text, hash text)
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = done.id
  `.rows(db);
}

/** Marks notes that the CRM no longer has, so that they are created again. */
export async function loseNotes(db: Db, { userId, claim }: outbox.Claim, ids: readonly string[]): Promise<void> {
  await sql`
    update outbox_notes o set crm_id = null, ${outbox.CLEAR_CLAIM},
      state = case when ${mayMove('lose')} then ${stateAfter('lose')} else o.state end
    where o.user_id = ${userId} and o.claim = ${claim} and o.id = any(${ids}::uuid[])
  `.rows(db);
}

export async function countNewNotes(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<number> {
  const [row] = await db('outbox_notes')
    .where({ user_id: userId, job_id: jobId })
    .whereNotNull('crm_id')
    .count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** Rows of this table that belong to the CRM account connected last. */
const ofAccount = (table: 'outbox_notes' | 'outbox_tasks', userId: string) =>
  sql`from ${rawSql(table)} o join crm_connections c on c.user_id = o.user_id and c.portal_id = o.portal_id where o.user_id = ${userId}`;

/** Notes to be written, and those refused until the CRM's administrator, or the user, changes something. */
const countWaiting = (userId: string) => sql`select count(*)::int as waiting ${ofAccount('outbox_notes', userId)}
  and c.status <> 'disconnected'
  and (o.state in ('waiting', 'outdated') or o.state = 'failed' and o.failure = any(${ADMIN_FAILURES}))`;

/** Notes that wait for a CRM that is connected, or that the person has to sign in to again. */
export async function countWaitingNotes(db: Db, userId: string): Promise<number> {
  const [row] = await countWaiting(userId).rows<{ waiting: number }>(db);
  return row?.waiting ?? 0;
}

type NoteStatus = {
  /** Number of notes that {@link countWaitingNotes} counts. */
  waiting: number;
  /** When a note was last written to the most recently connected CRM account; null before the first. */
  lastNoteAt: Date | null;
  /** The account doesn't let the user put notes, or tasks, on contacts. */
  isAssociationRefused: boolean;
};

/** The state of the user's notes for the settings, and whether the CRM refuses notes or tasks on contacts. */
export async function getNoteStatus(db: Db, userId: string): Promise<NoteStatus> {
  const isRefused = sql`and o.state = 'failed' and o.failure = 'CRM_ASSOCIATION_REFUSED'`;
  const [status] = await sql`
    select (${countWaiting(userId)}) as waiting, (select max(o.written_at) ${ofAccount('outbox_notes', userId)}) as "lastNoteAt",
      exists (select ${ofAccount('outbox_notes', userId)} ${isRefused})
        or exists (select ${ofAccount('outbox_tasks', userId)} ${isRefused}) as "isAssociationRefused"
  `.rows<NoteStatus>(db);
  return status ?? { waiting: 0, lastNoteAt: null, isAssociationRefused: false };
}

/*
 * A note's row outlives its digest, as the note does in the CRM: it says which note of ours is on which contact, so
 * that it can be removed with the link, and is counted there. Without the digest there is nothing left to write the
 * note from, and without a digest no note is planned, so nothing is written twice.
 */

/**
 * Settles all users' notes whose digest is no longer kept: those the CRM never got are deleted, the others are kept.
 * @returns how many, at most `limit` of each
 */
export async function settleNotesOfAllUsers(db: Db, { limit }: { limit: number }): Promise<number> {
  const leftOver = (which: Sql) => sql`select id from outbox_notes o
    where digest_id is null and ${mayMove('settle')} and ${which} and ${outbox.IS_FREE} limit ${limit} for update skip locked`;
  const deleted = await sql`
    delete from outbox_notes where id in (${leftOver(sql`crm_id is null`)}) returning id
  `.rows(db);
  const kept = await sql`
    update outbox_notes set state = ${stateAfter('settle')}, tries = 0, failure = null, claim = null, claimed_until = null
    where id in (${leftOver(sql`crm_id is not null`)}) returning id
  `.rows(db);
  return deleted.length + kept.length;
}

/** The values of our properties of a contact. */
export type ContactFacts = {
  contactId: string;
  /** Digests whose note is on the contact, of all users with this CRM account: the property has one value for them all. */
  digestCount: number;
  /** The messenger account of the person in a conversation whose notes go there; '' when there are only groups. */
  messengerUserId: string;
  messengerUsername: string;
  /** Whether we set these two on the contact before. */
  isNamed: boolean;
};

const IS_IN_CRM = sql`n.crm_id is not null and n.state in ('written', 'outdated')`;

/** Contacts with notes written since their properties were last brought up to date, at most `limit`. */
export async function listOutdatedContacts(db: Db, { limit, ...portal }: outbox.Portal & { limit: number }) {
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
  { userId, portalId, contactIds }: outbox.Portal & { contactIds: readonly string[] },
): Promise<ContactFacts[]> {
  if (contactIds.length === 0) return [];
  const ownWithPerson = sql`n.user_id = ${userId} and dialogs.peer_type = 'user'`;
  const ofFirst = (column: Sql) =>
    sql`coalesce((array_agg(${column} order by n.created_at, n.id) filter (where ${ownWithPerson}))[1], '')`;
  return sql`
    select asked.id as "contactId", count(n.id)::int as "digestCount", ${ofFirst(sql`dialogs.peer_key`)} as "messengerUserId",
      ${ofFirst(sql`dialogs.peer_username`)} as "messengerUsername",
      coalesce(bool_or(n.names_contact) filter (where n.user_id = ${userId}), false) as "isNamed"
    from unnest(${contactIds}::text[]) as asked (id)
      left join outbox_notes n on n.crm_contact_id = asked.id and n.portal_id = ${portalId} and ${IS_IN_CRM}
        and n.user_id in (select user_id from crm_connections where portal_id = ${portalId})
      left join dialogs on dialogs.id = n.dialog_id
    group by asked.id
  `.rows<ContactFacts>(db);
}

/** Records that these contacts are up to date, and which of them got their messenger account's name from us. */
export async function markUpToDate(
  db: Db,
  { userId, portalId }: outbox.Portal,
  { contactIds, namedIds, now }: { contactIds: readonly string[]; namedIds: readonly string[]; now: Date },
): Promise<void> {
  // A note may have been written by a process whose clock is ahead.
  await sql`
    update outbox_notes n set contact_synced_at = greatest(${now}::timestamptz, n.written_at),
      names_contact = n.names_contact or n.crm_contact_id = any(${namedIds}::text[])
    where n.user_id = ${userId} and n.portal_id = ${portalId} and n.crm_contact_id = any(${contactIds}::text[])
      and n.state in ('written', 'outdated')
  `.rows(db);
}

export type ContactName = Pick<ContactFacts, 'contactId' | 'messengerUserId' | 'messengerUsername'>;

/** Contacts that got a messenger account's name from us because of a note that is now being removed. */
export async function listNamedContacts(db: Db, { userId, claim }: outbox.Claim): Promise<ContactName[]> {
  return sql`
    select distinct o.crm_contact_id as "contactId", dialogs.peer_key as "messengerUserId", dialogs.peer_username as "messengerUsername"
    from outbox_notes o join dialogs on dialogs.id = o.dialog_id
    where o.user_id = ${userId} and o.claim = ${claim} and o.names_contact
  `.rows<ContactName>(db);
}
