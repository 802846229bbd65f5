import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { getConnection } from '../crm/service.ts';
import { listNoteTargets } from './listNoteTargets.ts';
import * as repo from './repo.ts';

type Wanted = {
  userId: string;
  /** Of all conversations without. */
  dialogIds?: readonly string[] | undefined;
  /**
   * A person has decided about them: notes that may not be written any more are taken away, and what the CRM refused
   * before is tried once more. Without, what is written stays as long as the link does.
   */
  isDecided?: boolean;
  /** What waits for the CRM account's administrator is tried once more. */
  retriesHeld?: boolean;
};

/**
 * Which notes are to be in the CRM: one for each digest that says something, on the contact of its conversation, where
 * notes may be written ({@link listNoteTargets}). So once a person has confirmed a match, notes of all digests that were
 * written before follow. Brings what is wanted in line with the digests and the links; writes nothing to the CRM. With the CRM disconnected nothing is wanted, and nothing lost.
 */
export async function planNotes(deps: { db: Db }, wanted: Wanted): Promise<void> {
  const { userId, isDecided = false, retriesHeld = false } = wanted;
  const dialogIds = wanted.dialogIds?.filter(isUuid);
  await deps.db.transaction(async trx => {
    await repo.lockNotes(trx, userId);
    const connection = await getConnection({ db: trx }, { userId });
    if (connection.status === 'disconnected') return;
    const scope = { userId, portalId: connection.portalId, dialogIds };
    const targets = await listNoteTargets(trx, { userId, dialogIds }, connection);
    await repo.dropUnlinked(trx, scope, { targets, isStrict: isDecided });
    await repo.outdateChanged(trx, scope);
    if (isDecided) await repo.retryFailed(trx, scope);
    if (retriesHeld) await repo.retryHeld(trx, scope);
    await repo.addMissing(trx, scope, targets);
  });
}

/**
 * Notes of these digests are to be written, or may be: whether they are is decided by the next plan. Takes part in the
 * transaction that writes the digests, so that none of them passes for complete in between.
 */
export async function expectNotes(
  trx: Db,
  { userId, portalId }: { userId: string; portalId: string },
  digests: readonly { digestId: string; dialogId: string }[],
): Promise<void> {
  if (digests.length === 0) return;
  await repo.lockNotes(trx, userId);
  const scope = { userId, portalId, dialogIds: digests.map(({ dialogId }) => dialogId) };
  await repo.addUndecided(
    trx,
    scope,
    digests.map(({ digestId }) => digestId),
  );
  await repo.outdateChanged(trx, scope);
}
