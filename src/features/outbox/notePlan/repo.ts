import type { Db } from '../../../lib/db.ts';
import {
  beginAnew,
  bindTargets,
  FORGET_TRIES,
  NEVER_SENT,
  retryRefused,
  statesOf,
  TARGETS,
  type Target,
} from '../repo.ts';
import { NOTE_MOVES, NOTES } from './rules.ts';

/** The statements that bring the wanted notes in line with the digests and the links of their conversations. */

/** Which notes are considered: those of one CRM account, in some conversations or in all. */
export type Scope = { userId: string; portalId: string; dialogIds: readonly string[] | undefined };

/** A short hash of what a note says about its digest. The person's name is left out: a new name is not a new note. */
export const CONTENT_HASH = `md5(concat_ws(chr(31), digests.summary, digests.structured::text, digests.message_count,
  digests.engine, extract(epoch from digests.last_message_at)))`;

/** Digests that have a summary and are not being rewritten at this moment. */
const IS_READY = `digests.summary <> '' and digests.status = 'COMPLETE'`;

function bindings({ dialogIds, ...account }: Scope, targets: readonly Target[] = []) {
  return { ...account, dialogIds: dialogIds ? [...dialogIds] : null, ...bindTargets(targets) };
}

export const { mayMove, stateAfter } = statesOf(NOTE_MOVES);

const IN_SCOPE = `o.portal_id = :portalId
  and (:dialogIds::uuid[] is null or o.dialog_id = any(:dialogIds::uuid[]))`;

/**
 * Drops notes on a contact other than the one the conversation is linked to now, notes without a contact, and notes
 * whose link was removed; also notes that may no longer be written: with `isStrict` even those that are in the CRM.
 * Notes that the CRM certainly never got are deleted at once; unclear ones keep their pause, because the CRM may still
 * get them.
 */
export async function dropUnlinked(
  trx: Db,
  scope: Scope,
  { targets, isStrict }: { targets: readonly Target[]; isStrict: boolean },
): Promise<void> {
  const given = { ...bindings(scope, targets), isStrict };
  await trx.raw(
    `
    update outbox_notes o set state = ${stateAfter('drop')}, ${FORGET_TRIES}
    from dialogs
    where o.user_id = :userId and ${IN_SCOPE} and ${mayMove('drop')} and dialogs.id = o.dialog_id
      and (dialogs.crm_contact_id <> o.crm_contact_id or dialogs.match_status in ('UNMATCHED', 'IGNORED')
        or ((o.crm_id is null or :isStrict) and not exists (select 1 from ${TARGETS}
          where target.dialog_id = o.dialog_id and target.contact_id = o.crm_contact_id)))
    `,
    given,
  );
  await trx.raw(
    `
    delete from outbox_notes o
    where o.user_id = :userId and ${IN_SCOPE} and o.state = 'unwanted' and ${NEVER_SENT}
    `,
    given,
  );
}

/**
 * Marks notes whose digest has changed since they were written; refused ones get another chance. Only digests that
 * the database noted as changed are compared. Notes that are just being written or sent are left for the next time.
 */
export async function outdateChanged(trx: Db, scope: Scope): Promise<void> {
  await trx.raw(
    `
    with changed as (
      delete from digest_changes change using digests
      where change.user_id = :userId and digests.id = change.digest_id and ${IS_READY}
        and (:dialogIds::uuid[] is null or digests.dialog_id = any(:dialogIds::uuid[]))
        and not exists (select 1 from outbox_notes sent where sent.digest_id = digests.id and sent.claim is not null)
      returning change.digest_id
    )
    update outbox_notes o set ${beginAnew(NOTES)} from digests
    where o.user_id = :userId and ${IN_SCOPE} and ${mayMove('outdate')}
      and o.digest_id in (select digest_id from changed) and digests.id = o.digest_id
      and o.content_hash <> ${CONTENT_HASH}
    `,
    bindings(scope),
  );
}

/**
 * Drops the notes of digests that are about to be deleted, in every CRM account: they are removed once it can be asked.
 * Only the digest's id is kept for that.
 */
export async function dropOfDigests(
  trx: Db,
  { userId, digestIds }: { userId: string; digestIds: readonly string[] },
): Promise<void> {
  const given = { userId, digestIds: [...digestIds] };
  await trx.raw(
    `
    delete from outbox_notes o
    where o.user_id = :userId and o.digest_id = any(:digestIds::uuid[]) and ${NEVER_SENT}
    `,
    given,
  );
  await trx.raw(
    `
    update outbox_notes o set deleted_digest_id = o.digest_id, content_hash = null, ${FORGET_TRIES},
      state = case when ${mayMove('drop')} then ${stateAfter('drop')} else o.state end
    where o.user_id = :userId and o.digest_id = any(:digestIds::uuid[])
    `,
    given,
  );
}

/** Tries notes once more that were refused: all, as a person decided about their conversations, or those that are held. */
export async function retryNotes(trx: Db, scope: Scope, { onlyHeld }: { onlyHeld: boolean }): Promise<void> {
  await retryRefused(trx, NOTES, { ...scope, onlyHeld }, { where: IN_SCOPE, given: bindings(scope) });
}

/** Adds a note whose contact is not known yet for each of these digests that has no note. */
export async function addUndecided(trx: Db, scope: Scope, digestIds: readonly string[]): Promise<void> {
  await trx.raw(
    `
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state)
    select user_id, dialog_id, id, job_id, :portalId, '', ${stateAfter('expect')} from digests
    where user_id = :userId and id = any(:digestIds::uuid[])
    on conflict do nothing
    `,
    { ...bindings(scope), digestIds: [...digestIds] },
  );
}

/** Adds a waiting note for each digest of the targets without one. It is new for the sync that wrote the digest. */
export async function addMissing(trx: Db, scope: Scope, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  await trx.raw(
    `
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, state)
    select digests.user_id, digests.dialog_id, digests.id, digests.job_id, :portalId, target.contact_id, ${stateAfter('want')}
    from ${TARGETS} join digests on digests.dialog_id = target.dialog_id
    where digests.user_id = :userId and ${IS_READY} and not exists (
      select 1 from outbox_notes o where o.user_id = :userId and o.digest_id = digests.id and o.portal_id = :portalId
        and o.state <> 'unwanted')
    on conflict do nothing
    `,
    bindings(scope, targets),
  );
  await trx.raw(
    `
    update outbox_notes o set job_id = digests.job_id from digests
    where o.user_id = :userId and ${IN_SCOPE} and o.state = 'waiting' and o.crm_id is null
      and digests.id = o.digest_id and o.job_id is distinct from digests.job_id
    `,
    bindings(scope),
  );
}
