import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { SETTLED_STATES } from '../promises/rules.ts';
import { DUE_AT, IS_DONE, IS_REWORDED, mayMove, SUBJECT, stateAfter } from '../taskPlan/repo.ts';
import { type ClaimedTask, claimedRow, TO_DO, type ToDo } from './schema.ts';

/** Claims are measured by the database's clock, which all processes share. */
const CLAIM_SECONDS = 30;
const IN_SECONDS = `now() + ? * interval '1 second'`;
/** Tasks of promises settled longer ago are no longer read in the CRM. */
const READ_DAYS = 14;

type Owner = { userId: string; portalId: string };
export type Claim = { userId: string; claim: string };
type Wanted = Owner & { claim: string; timezone: string; limit: number };

function claimedBy(db: Db, { userId, claim }: Claim) {
  return db('crm_tasks').where({ user_id: userId, claim });
}

const IS_DUE = '(t.claimed_until is null or t.claimed_until <= now())';
const IN_TO_DO = `t.state in ('${TO_DO.join("', '")}')`;

/** Claims the oldest tasks in a state for this process alone. */
export async function claimTasks(db: Db, { state, ...wanted }: Wanted & { state: ToDo }): Promise<ClaimedTask[]> {
  return claim(db, { ...wanted, state }, 't.state = :state');
}

/** @returns the database's current time; with it, each task is read only once */
export async function findNow(db: Db): Promise<Date> {
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('select now()');
  return rows[0]?.now ?? new Date();
}

/** Claims tasks that the CRM has and that were not read since then; those settled long ago are left out. */
export async function claimUnread(
  db: Db,
  { since, now, ...wanted }: Wanted & { since: Date; now: Date },
): Promise<ClaimedTask[]> {
  const isLately = `(p.state <> all(:settled) or p.changed_at > :now::timestamptz - interval '${READ_DAYS} days')`;
  return claim(
    db,
    { ...wanted, since, now, settled: [...SETTLED_STATES] },
    `${mayMove('lose')} and t.crm_task_id is not null and (t.read_at is null or t.read_at < :since) and ${isLately}`,
  );
}

async function claim(db: Db, wanted: Wanted & Record<string, unknown>, which: string): Promise<ClaimedTask[]> {
  await db.raw(
    `
    with due as (
      select t.id from crm_tasks t join promises p on p.id = t.promise_id
      where t.user_id = :userId and t.portal_id = :portalId and ${IS_DUE} and ${which}
      order by t.created_at, t.id limit :limit for update of t skip locked
    )
    update crm_tasks t set claim = :claim, claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    from due where t.id = due.id
    `,
    wanted,
  );
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select t.id, t.promise_id, p.dialog_id, t.crm_contact_id as contact_id, t.crm_task_id as task_id, t.is_unclear,
      t.sending_completed, t.is_completed, t.completion, t.due_at as written_due_at, ${IS_REWORDED} as is_reworded,
      ${SUBJECT} as subject, ${DUE_AT} as due_at, ${IS_DONE} as is_done, coalesce(said.is_urgent, false) as is_urgent,
      coalesce(nullif(dialogs.peer_name, ''), dialogs.peer_username) as peer_name
    from crm_tasks t join promises p on p.id = t.promise_id join dialogs on dialogs.id = p.dialog_id
      left join digests said on said.id = p.last_digest_id
    where t.user_id = :userId and t.claim = :claim order by t.created_at, t.id
    `,
    { userId: wanted.userId, claim: wanted.claim, timezone: wanted.timezone },
  );
  return rows.map(row => claimedRow.parse(row));
}

/** Extends the claim by its full length. */
export async function extendClaim(db: Db, claimed: Claim): Promise<void> {
  await claimedBy(db, claimed).update({ claimed_until: db.raw(IN_SECONDS, [CLAIM_SECONDS]) });
}

/** What a call is about to change in a task; fields that it leaves unchanged are not given. */
export type Sending = { id: string; subject?: string; dueAt?: Date; isCompleted?: boolean };

/**
 * Called before these tasks are sent: from now on the CRM may have them like this. Returns those that are still in the
 * state and still claimed by this process.
 */
export async function markSending(
  db: Db,
  { userId, claim }: Claim,
  { state, sending }: { state: ToDo; sending: readonly Sending[] },
): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `
    update crm_tasks t set is_unclear = true, sending_completed = sent."isCompleted",
      subject = coalesce(sent.subject, t.subject), due_at = coalesce(sent."dueAt", t.due_at)
    from jsonb_to_recordset(:sending::jsonb) as sent (id uuid, subject text, "dueAt" timestamptz, "isCompleted" boolean)
    where t.user_id = :userId and t.claim = :claim and t.id = sent.id and t.state = :state
    returning t.id
    `,
    { userId, claim, state, sending: JSON.stringify(sending) },
  );
  return new Set(rows.map(row => row.id));
}

const LET_GO = `is_unclear = false, sending_completed = null, tries = 0, failure = null, claim = null, claimed_until = null`;

export type Written = { id: string; taskId: string };

/** The CRM has these as they were sent. A task that became unwanted meanwhile stays so. */
export async function finishWritten(db: Db, { userId, claim }: Claim, written: readonly Written[], now: Date) {
  await db.raw(
    `
    update crm_tasks t set crm_task_id = done."taskId", written_at = :now, ${LET_GO},
      completion = case when t.sending_completed is null then t.completion else '' end,
      is_completed = coalesce(t.sending_completed, t.is_completed),
      state = case when ${mayMove('finish')} then ${stateAfter('finish')} else t.state end
    from jsonb_to_recordset(:written::jsonb) as done (id uuid, "taskId" text)
    where t.user_id = :userId and t.claim = :claim and t.id = done.id
    `,
    { userId, claim, now, written: JSON.stringify(written) },
  );
}

export async function finishArchived(db: Db, { userId, claim }: Claim, ids: readonly string[]): Promise<void> {
  await db.raw(
    `
    update crm_tasks t set crm_task_id = null, state = ${stateAfter('archive')}, ${LET_GO}
    where t.user_id = :userId and t.claim = :claim and t.id = any(:ids::uuid[]) and ${mayMove('archive')}
    `,
    { userId, claim, ids: [...ids] },
  );
}

/** Deletes tasks that never were in the CRM and are no longer wanted. */
export async function deleteUnsent(db: Db, claimed: Claim, ids: readonly string[]): Promise<void> {
  await claimedBy(db, claimed).whereIn('id', ids).delete();
}

/** A person deleted these in the CRM; one that was to be archived counts as archived. */
export async function setGone(db: Db, { userId, claim }: Claim, ids: readonly string[]): Promise<void> {
  await db.raw(
    `
    update crm_tasks t set crm_task_id = null, ${LET_GO},
      state = case when ${mayMove('lose')} then ${stateAfter('lose')} else ${stateAfter('archive')} end
    where t.user_id = :userId and t.claim = :claim and t.id = any(:ids::uuid[])
    `,
    { userId, claim, ids: [...ids] },
  );
}

export type Seen = { id: string; isCompleted: boolean; completion: string };

/**
 * Stores how the CRM has these. Only their completion was read: which day an unclear call left there isn't known, so it
 * is written again.
 */
export async function setSeen(db: Db, { userId, claim }: Claim, seen: readonly Seen[]): Promise<void> {
  await db.raw(
    `
    update crm_tasks t set is_completed = seen."isCompleted", completion = seen.completion, read_at = now(), ${LET_GO},
      due_at = case when not t.is_unclear then t.due_at end
    from jsonb_to_recordset(:seen::jsonb) as seen (id uuid, "isCompleted" boolean, completion text)
    where t.user_id = :userId and t.claim = :claim and t.id = seen.id
    `,
    { userId, claim, seen: JSON.stringify(seen) },
  );
}

export type Refusal = {
  ids: readonly string[];
  failure: string;
  /** Final after this many, until the promise changes. */
  tries: number;
  pauseSeconds: number;
  /** The CRM may have carried out an earlier call. */
  mayBeThere: boolean;
};

/** The CRM did not accept these. */
export async function refuse(db: Db, { userId, claim }: Claim, { ids, ...refusal }: Refusal): Promise<void> {
  await db.raw(
    `
    update crm_tasks t set tries = t.tries + 1, failure = :failure, claim = null, failed_at = now(),
      is_unclear = t.is_unclear and :mayBeThere,
      state = case when t.tries + 1 >= :tries and ${mayMove('refuse')} then ${stateAfter('refuse')} else t.state end,
      claimed_until = now() + :pauseSeconds * interval '1 second'
    where t.user_id = :userId and t.claim = :claim and t.id = any(:ids::uuid[])
    `,
    { userId, claim, ids: [...ids], ...refusal },
  );
}

/** Releases everything still claimed; it is not touched again for `pauseSeconds`. */
export async function releaseClaim(
  db: Db,
  claimed: Claim,
  { failure, pauseSeconds }: { failure: string | null; pauseSeconds: number },
): Promise<void> {
  const claimedUntil = db.raw(IN_SECONDS, [pauseSeconds]);
  await claimedBy(db, claimed).update({ failure, claim: null, claimed_until: claimedUntil });
}

/** Seconds until the first task to do may be tried, 0 if it may be now; undefined if there is nothing to do. */
export async function findNextTry(db: Db, { userId, portalId }: Owner): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { seconds: string | null }[] }>(
    `
    select min(greatest(0, coalesce(extract(epoch from t.claimed_until - now()), 0))) as seconds from crm_tasks t
    where t.user_id = :userId and t.portal_id = :portalId and ${IN_TO_DO}
    `,
    { userId, portalId },
  );
  const seconds = rows[0]?.seconds ?? null;
  return seconds === null ? undefined : Number(seconds);
}

/** Users with tasks that are due and unclaimed. */
export async function listTaskOwnersOfAllUsers(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { user_id: string }[] }>(`
    select distinct t.user_id from crm_tasks t join crm_connections c on c.user_id = t.user_id and c.portal_id = t.portal_id
    where c.status = 'active' and c.tasks_write and ${IN_TO_DO} and ${IS_DUE}
  `);
  return rows.map(row => row.user_id);
}

/** The newest task of a promise that the CRM has. Undefined for an unknown promise and for another user's. */
export async function findTask(
  db: Db,
  { userId, promiseId }: { userId: string; promiseId: string },
): Promise<{ portalId: string; taskId: string } | undefined> {
  if (!isUuid(promiseId)) return undefined;
  return db('crm_tasks')
    .where({ user_id: userId, promise_id: promiseId })
    .whereNotNull('crm_task_id')
    .orderBy('created_at', 'desc')
    .first('portal_id as portalId', 'crm_task_id as taskId');
}
