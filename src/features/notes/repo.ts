import type { Knex } from 'knex';
import type { Db } from '../../lib/db.ts';
import { ADMIN_FAILURES } from '../../lib/failures.ts';
import { CONTENT_HASH, mayMove, stateAfter } from '../notePlan/repo.ts';
import { type ClaimedNote, claimedRow, contentRow, type NoteContent, TO_DO, type ToDo } from './schema.ts';

/** Claims are measured by the database's clock, which all processes share. */
export const CLAIM_SECONDS = 30;
const UNTIL = `now() + ? * interval '1 second'`;
/** Attempts to remove a note, after which its successor is written anyway. */
const REMOVAL_TRIES = 3;

type Owner = { userId: string; portalId: string };
export type Claim = { userId: string; claim: string };

type Wanted = Owner & {
  claim: string;
  state: ToDo;
  /** Only notes of digests that this sync wrote; `exceptJobId` is all but those. */
  jobId?: string | undefined;
  exceptJobId?: string | undefined;
  limit: number;
};

/** The notes that a process has hold of. */
function claimedBy(db: Db, { userId, claim }: Claim) {
  return db('crm_notes').where({ user_id: userId, claim });
}

/**
 * Claims the oldest notes in a state for this process alone. Leaves out notes of a digest that is just being rewritten,
 * and notes whose predecessor is still on another contact.
 */
export async function claimNotes(db: Db, { claim, limit, ...wanted }: Wanted): Promise<ClaimedNote[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    with due as (
      select n.id from crm_notes n left join digests on digests.id = n.digest_id
      where n.user_id = :userId and n.portal_id = :portalId and n.state = :state
        and (n.claimed_until is null or n.claimed_until <= now())
        and (:jobId::text is null or digests.job_id = :jobId)
        and (:exceptJobId::text is null or digests.job_id is distinct from :exceptJobId)
        and (n.state = 'unwanted' or (digests.id is not null and digests.status not in ('PENDING', 'SUMMARIZING')))
        and (n.state <> 'waiting' or not exists (select 1 from crm_notes old where old.digest_id = n.digest_id
          and old.portal_id = n.portal_id and old.state = 'unwanted' and old.tries < :removalTries))
      order by n.created_at, n.id limit :limit
      for update of n skip locked
    )
    update crm_notes n set claim = :claim, claimed_until = now() + :seconds * interval '1 second'
    from due where n.id = due.id
    returning n.*
    `,
    {
      ...{ ...wanted, jobId: wanted.jobId ?? null, exceptJobId: wanted.exceptJobId ?? null },
      ...{ claim, limit, seconds: CLAIM_SECONDS, removalTries: REMOVAL_TRIES },
    },
  );
  return rows.map(row => claimedRow.parse(row));
}

/** Extends the claim by its full length. */
export async function extendClaim(db: Db, claimed: Claim): Promise<void> {
  await claimedBy(db, claimed).update({ claimed_until: db.raw(UNTIL, [CLAIM_SECONDS]) });
}

/** What the claimed notes say now, by the id of the note's row. */
export async function loadContents(db: Db, { userId, claim }: Claim): Promise<Map<string, NoteContent>> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select n.id, n.digest_id, ${CONTENT_HASH} as hash, to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date,
      coalesce(nullif(dialogs.peer_name, ''), dialogs.peer_username) as peer_name,
      trim(accounts.first_name || ' ' || accounts.last_name) as user_name,
      digests.message_count, digests.last_message_at, digests.summary, digests.structured, digests.engine
    from crm_notes n join digests on digests.id = n.digest_id join dialogs on dialogs.id = n.dialog_id
      join messenger_accounts accounts on accounts.id = dialogs.account_id
    where n.user_id = ? and n.claim = ?
    `,
    [userId, claim],
  );
  return new Map(rows.map(row => contentRow.parse(row)).map(content => [content.id, content]));
}

/**
 * Called before these notes are sent: from now on the CRM may have them with this text. Returns those that are still
 * wanted and still claimed by this process.
 */
export async function markSending(
  db: Db,
  { userId, claim }: Claim,
  notes: { id: string; hash: string }[],
): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `
    update crm_notes n set is_unclear = true, content_hash = sent.hash
    from jsonb_to_recordset(?::jsonb) as sent (id uuid, hash text)
    where n.user_id = ? and n.claim = ? and n.id = sent.id and n.state = 'waiting'
    returning n.id
    `,
    [JSON.stringify(notes.map(({ id, hash }) => ({ id, hash }))), userId, claim],
  );
  return new Set(rows.map(row => row.id));
}

export type Written = {
  id: string;
  noteId: string;
  /** Hash of the note's text; without one, the text sent before a crash is assumed. */
  hash?: string;
};

/**
 * Records that these notes are in the CRM. One that became unwanted meanwhile stays so; one with older text is
 * outdated.
 */
export async function finishWritten(db: Db, { userId, claim }: Claim, written: Written[], now: Date): Promise<void> {
  await db.raw(
    `
    update crm_notes n set crm_note_id = done."noteId", content_hash = coalesce(done.hash, n.content_hash),
      state = case when not ${mayMove('finish')} then n.state
        when coalesce(done.hash, n.content_hash) = coalesce(
          (select ${CONTENT_HASH} from digests where digests.id = n.digest_id), done.hash, n.content_hash)
        then ${stateAfter('finish')} else ${stateAfter('finishLate')} end,
      is_unclear = false, tries = 0, trouble = null, claim = null, claimed_until = null, written_at = ?
    from jsonb_to_recordset(?::jsonb) as done (id uuid, "noteId" text, hash text)
    where n.user_id = ? and n.claim = ? and n.id = done.id
    `,
    [now, JSON.stringify(written), userId, claim],
  );
}

/** The CRM doesn't have these notes (any more): they are written as if for the first time. */
export async function resetMissing(db: Db, { userId, claim }: Claim, ids: readonly string[]): Promise<void> {
  await db('crm_notes as n')
    .where({ user_id: userId, claim })
    .whereIn('id', ids)
    .update({
      state: db.raw(`case when ${mayMove('lose')} then ${stateAfter('lose')} else n.state end`),
      crm_note_id: null,
      is_unclear: false,
      claim: null,
      claimed_until: null,
    });
}

/** Deletes notes that were removed from the CRM or never were in it. */
export async function deleteRemoved(db: Db, claimed: Claim, ids: readonly string[]): Promise<void> {
  await claimedBy(db, claimed).whereIn('id', ids).delete();
}

export type Refusal = { id: string; failure: string };

/** The CRM did not accept these. Final after `tries` attempts. */
export async function refuse(
  db: Db,
  { userId, claim }: Claim,
  refusals: readonly Refusal[],
  { tries, pauseSeconds, isUnclear }: { tries: number; pauseSeconds: number; isUnclear: boolean },
): Promise<void> {
  await db.raw(
    `
    update crm_notes n set tries = n.tries + 1, trouble = r.failure, is_unclear = n.is_unclear and ?, claim = null,
      state = case when n.tries + 1 >= ? and ${mayMove('refuse')} then ${stateAfter('refuse')} else n.state end,
      claimed_until = ${UNTIL}
    from jsonb_to_recordset(?::jsonb) as r (id uuid, failure text)
    where n.user_id = ? and n.claim = ? and n.id = r.id
    `,
    [isUnclear, tries, pauseSeconds, JSON.stringify(refusals), userId, claim],
  );
}

/** Releases everything still claimed; it is not touched again for `pauseSeconds`. */
export async function releaseClaim(
  db: Db,
  { userId, claim }: Claim,
  { failure, pauseSeconds }: { failure: string | null; pauseSeconds: number },
): Promise<void> {
  await db('crm_notes')
    .where({ user_id: userId, claim })
    .update({ trouble: failure, claim: null, claimed_until: db.raw(UNTIL, [pauseSeconds]) });
}

/** Seconds until the first note to do may be tried, 0 if it may be now; undefined if there is nothing to do. */
export async function findNextTry(
  db: Db,
  { userId, portalId, jobId, exceptJobId }: Owner & { jobId?: string | undefined; exceptJobId?: string | undefined },
): Promise<number | undefined> {
  const row = await db('crm_notes as n')
    .leftJoin('digests', 'digests.id', 'n.digest_id')
    .where({ 'n.user_id': userId, 'n.portal_id': portalId })
    .whereIn('n.state', TO_DO)
    .modify(query => jobId && query.where({ 'digests.job_id': jobId }))
    .modify(query => exceptJobId && query.whereRaw('digests.job_id is distinct from ?', [exceptJobId]))
    .first<{ seconds: string | null } | undefined>(
      db.raw(`min(greatest(0, coalesce(extract(epoch from n.claimed_until - now()), 0))) as seconds`),
    );
  return row?.seconds === null || row === undefined ? undefined : Number(row.seconds);
}

/** New notes of a job's digests that are in the CRM now. */
export async function countNewNotes(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<number> {
  const [row] = await db('crm_notes')
    .where({ user_id: userId, job_id: jobId })
    .whereNotNull('crm_note_id')
    .count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** Refused until the CRM account's administrator, or the person, changes something. */
const isHeld = (query: Knex.QueryBuilder) =>
  query.whereIn('crm_notes.state', ['failed']).whereIn('crm_notes.trouble', [...ADMIN_FAILURES]);

/** Rows of this table that belong to the CRM account connected last. */
function ofAccount(db: Db, table: string, userId: string) {
  return db(table)
    .join('crm_connections', 'crm_connections.user_id', `${table}.user_id`)
    .where({ [`${table}.user_id`]: userId })
    .whereRaw('crm_connections.portal_id = ??', [`${table}.portal_id`]);
}

function waitingNotes(db: Db, userId: string) {
  return ofAccount(db, 'crm_notes', userId)
    .whereNot('crm_connections.status', 'disconnected')
    .where(held => held.whereIn('crm_notes.state', ['waiting', 'outdated']).orWhere(isHeld));
}

/** Notes that wait for a CRM that is connected, or that the person has to sign in to again. */
export async function countWaitingNotes(db: Db, userId: string): Promise<number> {
  const [row] = await waitingNotes(db, userId).count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

export type NotesStanding = {
  /** As {@link countWaitingNotes}. */
  waiting: number;
  /** When a note was last written to the most recently connected CRM account; null before the first. */
  lastNoteAt: Date | null;
  /** That account does not let the person put notes, or tasks, on contacts. */
  isAssociationRefused: boolean;
};

export async function getStanding(db: Db, userId: string): Promise<NotesStanding> {
  const refused = (table: string, reason: string) =>
    ofAccount(db, table, userId)
      .where({ [reason]: 'CRM_ASSOCIATION_REFUSED' })
      .whereIn('state', ['failed'])
      .select('state');
  const [row] = await db.select<{ waiting: string; last: Date | null; refused: boolean }[]>(
    waitingNotes(db, userId).count().as('waiting'),
    ofAccount(db, 'crm_notes', userId).max('written_at').as('last'),
    db.raw('(exists(?) or exists(?)) as refused', [refused('crm_notes', 'trouble'), refused('crm_tasks', 'failure')]),
  );
  return {
    waiting: Number(row?.waiting ?? 0),
    lastNoteAt: row?.last ?? null,
    isAssociationRefused: row?.refused ?? false,
  };
}

/** Users with notes that are due and unclaimed. */
export async function listNoteOwnersOfAllUsers(db: Db): Promise<string[]> {
  const rows = await db('crm_notes')
    .join('crm_connections', 'crm_connections.user_id', 'crm_notes.user_id')
    .where({ 'crm_connections.status': 'active' })
    .whereRaw('crm_connections.portal_id = crm_notes.portal_id')
    .whereIn('crm_notes.state', TO_DO)
    .whereRaw('(crm_notes.claimed_until is null or crm_notes.claimed_until <= now())')
    .distinct<{ user_id: string }[]>('crm_notes.user_id');
  return rows.map(row => row.user_id);
}

/*
 * A note's row outlives its digest, as the note does in the CRM: it says which note of ours is on which contact, so
 * that it can be removed with the link, and is counted there. Without the digest there is nothing left to write the
 * note from, and without a digest no note is planned, so nothing is written twice.
 */

/** Notes without a digest that no process is about to send. */
const leftOver = (which: string) => `
  select id from crm_notes n
  where digest_id is null and ${mayMove('settle')} and ${which}
    and (claim is null or claimed_until < now())
  limit ? for update skip locked`;

/**
 * Settles all users' notes whose digest is no longer kept: those the CRM never got are deleted, the others are kept.
 * @returns how many, at most `limit` of each
 */
export async function settleNotesOfAllUsers(db: Db, { limit }: { limit: number }): Promise<number> {
  const gone = await db.raw<{ rowCount: number }>(
    `delete from crm_notes where id in (${leftOver('crm_note_id is null')})`,
    [limit],
  );
  const kept = await db.raw<{ rowCount: number }>(
    `update crm_notes set state = ${stateAfter('settle')}, tries = 0, trouble = null, claim = null, claimed_until = null
     where id in (${leftOver('crm_note_id is not null')})`,
    [limit],
  );
  return gone.rowCount + kept.rowCount;
}
