import type { Db } from '../../../lib/db.ts';
import { crmLineOf, isQuote, LIVE } from '../../promises/fragments.ts';
import { MOVES } from '../../promises/rules.ts';
import { beginAnew, bindTargets, FORGET_TRIES, IS_FREE, NEVER_SENT, statesOf, TARGETS, type Target } from '../repo.ts';
import { TASK_MOVES, TASKS } from './rules.ts';

/** The statements that bring the wanted tasks in line with the promises and the links of their conversations. */

export type Scope = {
  userId: string;
  portalId: string;
  /** The user's time zone, in which days are due. */
  timezone: string;
  /** Conversations whose promises may become tasks, and on which contact. */
  targets: readonly Target[];
};

/** A CRM cuts longer titles anyway; nothing is lost, since the task leads to the promise. */
const LONGEST_SUBJECT = 250;
/** Used if no time of day was said. */
const DUE_HOUR = '09:00';

/** Colleagues read tasks: null for words of people that the user has not chosen to show there. */
export const SUBJECT = `case when not ${isQuote('p')}
  or (select tasks_quote from crm_connections c where c.user_id = p.user_id) then left(${crmLineOf('p')}, ${LONGEST_SUBJECT}) end`;
/** If put off, it is due no earlier than the day on which it is back. */
const DUE_DAY = 'greatest(p.due_date, p.snoozed_until)';
export const DUE_AT = String.raw`(${DUE_DAY} + case when ${DUE_DAY} = p.due_date
  and p.due_time ~ '^([01]\d|2[0-3]):[0-5]\d$' then p.due_time::time else '${DUE_HOUR}'::time end) at time zone :timezone`;
export const IS_DONE = `p.state = '${MOVES.done.to}'`;

/** Only promises of the user with a due day. */
const IS_DATED = `p.direction = 'mine' and p.due_date is not null and p.words <> ''`;
const IS_TASK = `${IS_DATED} and (${LIVE} or ${IS_DONE})`;
const IS_LINKED = `dialogs.crm_contact_id = o.crm_contact_id and dialogs.match_status not in ('UNMATCHED', 'IGNORED')`;
const IS_TARGET = `exists (select from ${TARGETS} where target.dialog_id = p.dialog_id)`;

const OF_ACCOUNT = `o.portal_id = :portalId and p.id = o.promise_id and p.user_id = o.user_id and dialogs.id = p.dialog_id`;
/** A task that the CRM refused is tried again when the promise has changed, and once a day. */
const MAY_TRY = `(o.state <> 'failed' or p.changed_at > o.failed_at or o.failed_at < now() - interval '20 hours')`;

export const { mayMove, stateAfter } = statesOf(TASK_MOVES);

function bindings({ targets, ...scope }: Scope) {
  return { ...scope, ...bindTargets(targets) };
}

/**
 * Drops tasks whose promise was cancelled, dismissed, withdrawn or is no longer the user's, or whose conversation is
 * linked to another contact or to none. Tasks that the CRM certainly never got are deleted at once, also if the promise
 * was kept meanwhile.
 */
export async function dropUnwanted(trx: Db, scope: Scope): Promise<void> {
  const given = bindings(scope);
  await trx.raw(
    `
    update outbox_tasks o set state = ${stateAfter('drop')}, ${FORGET_TRIES}
    from promises p, dialogs
    where o.user_id = :userId and ${OF_ACCOUNT} and ${mayMove('drop')} and (o.crm_id is null or ${MAY_TRY})
      and (not (${IS_TASK}) or not (${IS_LINKED}) or (o.crm_id is null and not ${IS_TARGET}))
    `,
    given,
  );
  await trx.raw(
    `
    delete from outbox_tasks o using promises p, dialogs
    where o.user_id = :userId and ${OF_ACCOUNT} and ${NEVER_SENT}
      and (o.state = ${stateAfter('drop')} or (o.state in (${stateAfter('want')}, ${stateAfter('refuse')}) and ${IS_DONE}))
    `,
    given,
  );
}

/** Drops the tasks of promises whose words were deleted: what they say is kept here no longer, either. */
export async function dropOfPromises(
  trx: Db,
  { userId, promiseIds }: { userId: string; promiseIds: readonly string[] },
): Promise<void> {
  await trx.raw(
    `
    update outbox_tasks o set subject = null, ${FORGET_TRIES},
      state = case when ${mayMove('drop')} then ${stateAfter('drop')} else o.state end
    where o.user_id = :userId and o.promise_id = any(:promiseIds::uuid[])
    `,
    { userId, promiseIds: [...promiseIds] },
  );
}

/** Takes back tasks whose promises are wanted again. A task that is just being archived is archived first. */
export async function takeBack(trx: Db, scope: Scope): Promise<void> {
  const given = bindings(scope);
  await trx.raw(
    `
    update outbox_tasks o set tries = 0, failure = null,
      state = case when o.crm_id is null then ${stateAfter('keepWaiting')} else ${stateAfter('keep')} end
    from promises p, dialogs
    where o.user_id = :userId and ${OF_ACCOUNT} and ${mayMove('keep')} and ${IS_TASK} and ${IS_LINKED} and ${IS_FREE}
      and (o.crm_id is null or not o.is_unclear)
    `,
    given,
  );
  await trx.raw(
    `
    update outbox_tasks o set state = ${stateAfter('renew')}, crm_contact_id = target.contact_id, subject = null, due_at = null,
      is_completed = false, completion = '', tries = 0, failure = null, read_at = null, claimed_until = null
    from promises p, dialogs, ${TARGETS}
    where o.user_id = :userId and ${OF_ACCOUNT} and ${mayMove('renew')} and target.dialog_id = p.dialog_id and ${IS_DATED} and ${LIVE}
    `,
    given,
  );
}

/** Words that a digest found for the same promise are no news there; those that its person wrote are. */
export const IS_REWORDED = `('words' = any(p.edited) and o.subject is distinct from left(p.words, ${LONGEST_SUBJECT}))`;
/** For a completed task, only its completion is compared. */
const DIFFERS = `(o.is_completed <> (${IS_DONE}) or (not (${IS_DONE}) and (o.due_at is distinct from ${DUE_AT} or ${IS_REWORDED})))`;

/** Marks tasks that differ from their promises, and those that agree again. */
export async function compare(trx: Db, scope: Scope): Promise<void> {
  const given = bindings(scope);
  await trx.raw(
    `
    update outbox_tasks o set ${beginAnew(TASKS)}
    from promises p, dialogs
    where o.user_id = :userId and ${OF_ACCOUNT} and ${mayMove('outdate')} and ${MAY_TRY} and (${DIFFERS} or o.state = 'failed')
    `,
    given,
  );
  await trx.raw(
    `
    update outbox_tasks o set state = ${stateAfter('agree')}, tries = 0, failure = null from promises p, dialogs
    where o.user_id = :userId and ${OF_ACCOUNT} and ${mayMove('agree')} and not o.is_unclear and ${IS_FREE} and not ${DIFFERS}
    `,
    given,
  );
}

/** Adds a waiting task for each open promise of the targets that has none. */
export async function addMissing(trx: Db, scope: Scope): Promise<void> {
  await trx.raw(
    `
    insert into outbox_tasks (user_id, promise_id, portal_id, crm_contact_id, state)
    select p.user_id, p.id, :portalId, target.contact_id, ${stateAfter('want')}
    from ${TARGETS} join promises p on p.dialog_id = target.dialog_id
    where p.user_id = :userId and ${IS_DATED} and ${LIVE}
    on conflict (promise_id, portal_id) do nothing
    `,
    bindings(scope),
  );
}
