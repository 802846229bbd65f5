import type { Knex } from 'knex';
import type { Db } from '../../../lib/db.ts';
import { ADMIN_FAILURES } from '../../../lib/failures.ts';
import type { Written } from '../createRecords.ts';
import { CONTENT_HASH, mayMove, stateAfter } from '../notePlan/repo.ts';
import { NOTES } from '../notePlan/rules.ts';
import { type Claim, claimDue, IS_FREE, LET_GO, type Wanted, type Which } from '../repo.ts';
import type { ToDo } from '../schema.ts';
import { type ClaimedNote, claimedRow, contentRow, type NoteContent } from './schema.ts';

/** Attempts to remove a note, after which its successor is written anyway. */
const REMOVAL_TRIES = 3;

/** Digests of which sync: those that it wrote, or all but those. */
export type OfJobs = { jobId?: string | undefined; exceptJobId?: string | undefined };

/** The notes of these digests. */
export function notesOf({ jobId, exceptJobId }: OfJobs): Which {
  return {
    joins: 'left join digests on digests.id = o.digest_id and digests.user_id = o.user_id',
    where: `(:jobId::text is null or digests.job_id = :jobId)
      and (:exceptJobId::text is null or digests.job_id is distinct from :exceptJobId)`,
    given: { jobId: jobId ?? null, exceptJobId: exceptJobId ?? null },
  };
}

/**
 * Claims notes in a state; those to be removed are of any sync. Leaves out notes of a digest that is just being rewritten,
 * and notes whose predecessor is still on another contact.
 */
export async function claimNotes(
  db: Db,
  { state, ofJobs, ...wanted }: Wanted & { state: ToDo; ofJobs: OfJobs },
): Promise<ClaimedNote[]> {
  const { where, given, ...which } = notesOf(state === 'unwanted' ? {} : ofJobs);
  const isReady = `(o.state = 'unwanted' or (digests.id is not null and digests.status not in ('PENDING', 'SUMMARIZING')))
    and (o.state <> 'waiting' or not exists (select 1 from outbox_notes old where old.digest_id = o.digest_id
      and old.portal_id = o.portal_id and old.state = 'unwanted' and old.tries < :removalTries))`;
  const all = { ...given, state, removalTries: REMOVAL_TRIES };
  await claimDue(db, NOTES, wanted, { ...which, where: `o.state = :state and ${where} and ${isReady}`, given: all });
  const rows = await db('outbox_notes')
    .where({ user_id: wanted.userId, claim: wanted.claim })
    .orderBy(['created_at', 'id']);
  return rows.map(row => claimedRow.parse(row));
}

/** What the claimed notes say now, by the id of the note's row. */
export async function loadContents(db: Db, { userId, claim }: Claim): Promise<Map<string, NoteContent>> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
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
    update outbox_notes o set is_unclear = true, content_hash = sent.hash
    from jsonb_to_recordset(?::jsonb) as sent (id uuid, hash text)
    where o.user_id = ? and o.claim = ? and o.id = sent.id and o.state = 'waiting'
    returning o.id
    `,
    [JSON.stringify(notes.map(({ id, hash }) => ({ id, hash }))), userId, claim],
  );
  return new Set(rows.map(row => row.id));
}

/** With the hash of the note's text; without one, the text that was marked as being sent is meant. */
type WrittenNote = Written & { hash?: string };

/**
 * Records that these notes are in the CRM. One that became unwanted meanwhile stays so; one with older text is
 * outdated.
 */
export async function finishWritten(
  db: Db,
  { userId, claim }: Claim,
  written: readonly WrittenNote[],
  now: Date,
): Promise<void> {
  await db.raw(
    `
    update outbox_notes o set crm_id = done."crmId", content_hash = coalesce(done.hash, o.content_hash),
      state = case when not ${mayMove('finish')} then o.state
        when coalesce(done.hash, o.content_hash) = coalesce(
          (select ${CONTENT_HASH} from digests where digests.id = o.digest_id), done.hash, o.content_hash)
        then ${stateAfter('finish')} else ${stateAfter('finishLate')} end,
      ${LET_GO}, written_at = ?
    from jsonb_to_recordset(?::jsonb) as done (id uuid, "crmId" text, hash text)
    where o.user_id = ? and o.claim = ? and o.id = done.id
    `,
    [now, JSON.stringify(written), userId, claim],
  );
}

/** The CRM doesn't have these notes any more: they are written as if for the first time. */
export async function loseNotes(db: Db, { userId, claim }: Claim, ids: readonly string[]): Promise<void> {
  await db.raw(
    `
    update outbox_notes o set crm_id = null, ${LET_GO},
      state = case when ${mayMove('lose')} then ${stateAfter('lose')} else o.state end
    where o.user_id = :userId and o.claim = :claim and o.id = any(:ids::uuid[])
    `,
    { userId, claim, ids: [...ids] },
  );
}

/** New notes of a job's digests that are in the CRM now. */
export async function countNewNotes(db: Db, { userId, jobId }: { userId: string; jobId: string }): Promise<number> {
  const [row] = await db('outbox_notes')
    .where({ user_id: userId, job_id: jobId })
    .whereNotNull('crm_id')
    .count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** Refused until the CRM account's administrator, or the person, changes something. */
const isHeld = (query: Knex.QueryBuilder) =>
  query.whereIn('outbox_notes.state', ['failed']).whereIn('outbox_notes.failure', [...ADMIN_FAILURES]);

/** Rows of this table that belong to the CRM account connected last. */
function ofAccount(db: Db, table: string, userId: string) {
  return db(table)
    .join('crm_connections', 'crm_connections.user_id', `${table}.user_id`)
    .where({ [`${table}.user_id`]: userId })
    .whereRaw('crm_connections.portal_id = ??', [`${table}.portal_id`]);
}

function waitingNotes(db: Db, userId: string) {
  return ofAccount(db, 'outbox_notes', userId)
    .whereNot('crm_connections.status', 'disconnected')
    .where(held => held.whereIn('outbox_notes.state', ['waiting', 'outdated']).orWhere(isHeld));
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
  const refused = (table: string) =>
    ofAccount(db, table, userId)
      .where({ failure: 'CRM_ASSOCIATION_REFUSED' })
      .whereIn('state', ['failed'])
      .select('state');
  const [row] = await db.select<{ waiting: string; last: Date | null; refused: boolean }[]>(
    waitingNotes(db, userId).count().as('waiting'),
    ofAccount(db, 'outbox_notes', userId).max('written_at').as('last'),
    db.raw('(exists(?) or exists(?)) as refused', [refused('outbox_notes'), refused('outbox_tasks')]),
  );
  return {
    waiting: Number(row?.waiting ?? 0),
    lastNoteAt: row?.last ?? null,
    isAssociationRefused: row?.refused ?? false,
  };
}

/*
 * A note's row outlives its digest, as the note does in the CRM: it says which note of ours is on which contact, so
 * that it can be removed with the link, and is counted there. Without the digest there is nothing left to write the
 * note from, and without a digest no note is planned, so nothing is written twice.
 */

/** Notes without a digest that no process is about to send. */
const leftOver = (which: string) => `
  select id from outbox_notes o
  where digest_id is null and ${mayMove('settle')} and ${which} and ${IS_FREE}
  limit ? for update skip locked`;

/**
 * Settles all users' notes whose digest is no longer kept: those the CRM never got are deleted, the others are kept.
 * @returns how many, at most `limit` of each
 */
export async function settleNotesOfAllUsers(db: Db, { limit }: { limit: number }): Promise<number> {
  const gone = await db.raw<{ rowCount: number }>(
    `delete from outbox_notes where id in (${leftOver('crm_id is null')})`,
    [limit],
  );
  const kept = await db.raw<{ rowCount: number }>(
    `update outbox_notes set state = ${stateAfter('settle')}, tries = 0, failure = null, claim = null, claimed_until = null
     where id in (${leftOver('crm_id is not null')})`,
    [limit],
  );
  return gone.rowCount + kept.rowCount;
}
