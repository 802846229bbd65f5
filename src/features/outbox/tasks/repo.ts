import type { Db } from '../../../lib/db.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { SETTLED_STATES } from '../../promises/rules.ts';
import type { Written } from '../createRecords.ts';
import { type Claim, claimDue, LET_GO, type Wanted, type Which } from '../repo.ts';
import type { ToDo } from '../schema.ts';
import { DUE_AT, IS_DONE, IS_REWORDED, mayMove, SUBJECT, stateAfter } from '../taskPlan/repo.ts';
import { TASKS } from '../taskPlan/rules.ts';
import { type ClaimedTask, claimedRow } from './schema.ts';

/** Tasks of promises settled longer ago are no longer read in the CRM. */
const READ_DAYS = 14;

type WantedTasks = Wanted & {
  /** The user's time zone, in which days are due. */
  timezone: string;
};

/** Claims tasks in a state. */
export function claimTasks(db: Db, { state, ...wanted }: WantedTasks & { state: ToDo }): Promise<ClaimedTask[]> {
  return claim(db, wanted, { where: 'o.state = :state', given: { state } });
}

/** @returns the database's current time; with it, each task is read only once */
export async function findNow(db: Db): Promise<Date> {
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('select now()');
  return rows[0]?.now ?? new Date();
}

/** Claims tasks that the CRM has and that were not read since then; those settled long ago are left out. */
export function claimUnread(
  db: Db,
  { since, now, ...wanted }: WantedTasks & { since: Date; now: Date },
): Promise<ClaimedTask[]> {
  const isLately = `(p.state <> all(:settled) or p.changed_at > :now::timestamptz - interval '${READ_DAYS} days')`;
  return claim(db, wanted, {
    joins: 'join promises p on p.id = o.promise_id',
    where: `${mayMove('lose')} and o.crm_id is not null and (o.read_at is null or o.read_at < :since) and ${isLately}`,
    given: { since, now, settled: [...SETTLED_STATES] },
  });
}

async function claim(db: Db, { timezone, ...wanted }: WantedTasks, which: Which): Promise<ClaimedTask[]> {
  await claimDue(db, TASKS, wanted, which);
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select o.id, o.promise_id, p.dialog_id, o.crm_contact_id as contact_id, o.crm_id, o.is_unclear,
      o.sending_completed, o.is_completed, o.completion, o.due_at as written_due_at, ${IS_REWORDED} as is_reworded,
      ${SUBJECT} as subject, ${DUE_AT} as due_at, ${IS_DONE} as is_done, coalesce(said.is_urgent, false) as is_urgent,
      dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone
    from outbox_tasks o join promises p on p.id = o.promise_id join dialogs on dialogs.id = p.dialog_id
      left join digests said on said.id = p.last_digest_id
    where o.user_id = :userId and o.claim = :claim order by o.created_at, o.id
    `,
    { userId: wanted.userId, claim: wanted.claim, timezone },
  );
  return rows.map(row => claimedRow.parse(row));
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
    update outbox_tasks o set is_unclear = true, sending_completed = sent."isCompleted",
      subject = coalesce(sent.subject, o.subject), due_at = coalesce(sent."dueAt", o.due_at)
    from jsonb_to_recordset(:sending::jsonb) as sent (id uuid, subject text, "dueAt" timestamptz, "isCompleted" boolean)
    where o.user_id = :userId and o.claim = :claim and o.id = sent.id and o.state = :state
    returning o.id
    `,
    { userId, claim, state, sending: JSON.stringify(sending) },
  );
  return new Set(rows.map(row => row.id));
}

/** The CRM has these as they were sent. A task that became unwanted meanwhile stays so. */
export async function finishWritten(db: Db, { userId, claim }: Claim, written: readonly Written[], now: Date) {
  await db.raw(
    `
    update outbox_tasks o set crm_id = done."crmId", written_at = :now, ${LET_GO}, sending_completed = null,
      completion = case when o.sending_completed is null then o.completion else '' end,
      is_completed = coalesce(o.sending_completed, o.is_completed),
      state = case when ${mayMove('finish')} then ${stateAfter('finish')} else o.state end
    from jsonb_to_recordset(:written::jsonb) as done (id uuid, "crmId" text)
    where o.user_id = :userId and o.claim = :claim and o.id = done.id
    `,
    { userId, claim, now, written: JSON.stringify(written) },
  );
}

export async function finishArchived(db: Db, { userId, claim }: Claim, ids: readonly string[]): Promise<void> {
  await db.raw(
    `
    update outbox_tasks o set crm_id = null, state = ${stateAfter('archive')}, ${LET_GO}, sending_completed = null
    where o.user_id = :userId and o.claim = :claim and o.id = any(:ids::uuid[]) and ${mayMove('archive')}
    `,
    { userId, claim, ids: [...ids] },
  );
}

/** A person deleted these in the CRM; one that was to be archived counts as archived. */
export async function setGone(db: Db, { userId, claim }: Claim, ids: readonly string[]): Promise<void> {
  await db.raw(
    `
    update outbox_tasks o set crm_id = null, ${LET_GO}, sending_completed = null,
      state = case when ${mayMove('lose')} then ${stateAfter('lose')} else ${stateAfter('archive')} end
    where o.user_id = :userId and o.claim = :claim and o.id = any(:ids::uuid[])
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
    update outbox_tasks o set is_completed = seen."isCompleted", completion = seen.completion, read_at = now(),
      ${LET_GO}, sending_completed = null, due_at = case when not o.is_unclear then o.due_at end
    from jsonb_to_recordset(:seen::jsonb) as seen (id uuid, "isCompleted" boolean, completion text)
    where o.user_id = :userId and o.claim = :claim and o.id = seen.id
    `,
    { userId, claim, seen: JSON.stringify(seen) },
  );
}

/** The newest task of a promise that the CRM has. Undefined for an unknown promise and for another user's. */
export async function findTask(
  db: Db,
  { userId, promiseId }: { userId: string; promiseId: string },
): Promise<{ portalId: string; taskId: string } | undefined> {
  if (!isUuid(promiseId)) return undefined;
  return db('outbox_tasks')
    .where({ user_id: userId, promise_id: promiseId })
    .whereNotNull('crm_id')
    .orderBy('created_at', 'desc')
    .first('portal_id as portalId', 'crm_id as taskId');
}
