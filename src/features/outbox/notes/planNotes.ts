import type { Db } from '../../../lib/db.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { linkOf, type WriteSwitches, writesNotes } from '../../contacts/matching/rules.ts';
import { getConnection } from '../../crm/repo.ts';
import { listDialogs } from '../../messenger/dialogs/repo.ts';
import { lockPlan, type Target } from '../repo.ts';
import * as repo from './repo.ts';
import { NOTES } from './rules.ts';

type Wanted = {
  userId: string;
  /** Without it, the notes of all conversations are planned. */
  dialogIds?: readonly string[] | undefined;
  /**
   * A person has decided about them: notes that may no longer be written are removed, and those the CRM refused
   * before are tried once more. Otherwise, written notes stay as long as the link does.
   */
  isDecided?: boolean;
  /** Notes that wait for the CRM account's administrator are tried once more. */
  retriesHeld?: boolean;
};

/**
 * Plans which notes are to be in the CRM: one for each digest with a summary, on its conversation's contact, where
 * notes may be written ({@link listNoteTargets}). So once a person confirms a match, notes of all earlier digests
 * follow. Brings the plan in line with the digests and the links; writes nothing to the CRM. While the CRM is
 * disconnected, nothing is planned and nothing is lost.
 */
export async function planNotes(deps: { db: Db }, wanted: Wanted): Promise<void> {
  const { userId, isDecided = false, retriesHeld = false } = wanted;
  const dialogIds = wanted.dialogIds?.filter(isUuid);
  await deps.db.transaction(async trx => {
    await lockPlan(trx, NOTES, userId);
    const connection = await getConnection(trx, userId);
    if (connection.status === 'disconnected') return;
    const scope = { userId, portalId: connection.portalId, dialogIds };
    const targets = await listNoteTargets(trx, { userId, dialogIds }, connection);
    await repo.dropUnlinked(trx, scope, { targets, isStrict: isDecided });
    await repo.outdateChanged(trx, scope);
    if (isDecided || retriesHeld) await repo.retryNotes(trx, scope, { onlyHeld: !isDecided });
    await repo.addMissing(trx, scope, targets);
  });
}

/**
 * Expects notes for these digests; the next plan decides whether they are written. Takes part in the
 * transaction that writes the digests, so that none of them counts as complete in between.
 */
export async function expectNotes(
  trx: Db,
  { userId, portalId }: { userId: string; portalId: string },
  digests: readonly { digestId: string; dialogId: string }[],
): Promise<void> {
  if (digests.length === 0) return;
  await lockPlan(trx, NOTES, userId);
  const scope = { userId, portalId, dialogIds: digests.map(({ dialogId }) => dialogId) };
  await repo.addUndecided(
    trx,
    scope,
    digests.map(({ digestId }) => digestId),
  );
  await repo.outdateChanged(trx, scope);
}

/** The conversations whose notes may be written, and to whom. Without `dialogIds`, among all of the user's. */
export async function listNoteTargets(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] | undefined },
  switches: WriteSwitches,
): Promise<Target[]> {
  const asked = dialogIds && new Set(dialogIds);
  const dialogs = (await listDialogs(db, userId)).filter(({ id }) => !asked || asked.has(id));
  return dialogs
    .filter(dialog => writesNotes(linkOf(dialog), switches))
    .map(({ id, crmContactId }) => ({ dialogId: id, contactId: crmContactId }));
}
