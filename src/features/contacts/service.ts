import type { Db } from '../../lib/db.ts';
import { listDialogs, lockDialogs, resetMatches } from '../dialogs/repo.ts';
import { isTracked } from '../dialogs/rules.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { type WriteSwitches, writesNotes } from '../matching/rules.ts';
import { getSettings } from '../settings/service.ts';
import { deleteDecisions } from './repo.ts';

export type NoteTarget = { dialogId: string; contactId: string };

/** The conversations whose notes may be written, and to whom; of all the user's without `dialogIds`. */
export async function listNoteTargets(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] },
  switches: WriteSwitches,
): Promise<NoteTarget[]> {
  const asked = dialogIds && new Set(dialogIds);
  const dialogs = (await listDialogs(db, userId)).filter(({ id }) => !asked || asked.has(id));
  return dialogs
    .filter(dialog => writesNotes(linkOfDialog(dialog), switches))
    .map(({ id, crmContactId }) => ({ dialogId: id, contactId: crmContactId }));
}

/**
 * Another CRM account takes the place of the last one: its contacts are other people's records. What is ignored stays
 * so. Takes part in the transaction that changes the account, and waits for whoever is deciding about a conversation.
 */
export async function forgetLinks(trx: Db, { userId }: { userId: string }): Promise<void> {
  const dialogIds = (await listDialogs(trx, userId)).map(({ id }) => id);
  await lockDialogs(trx, { userId, dialogIds });
  await resetMatches(trx, userId);
  await deleteDecisions(trx, userId);
}

function linkOfDialog(dialog: Dialog) {
  return { status: dialog.matchStatus, confidence: dialog.matchConfidence, contactId: dialog.crmContactId };
}

/** The user's tracked conversations with how they are matched, newest first. */
export async function listContacts(deps: { db: Db }, { userId }: { userId: string }): Promise<Dialog[]> {
  const [dialogs, settings] = await Promise.all([listDialogs(deps.db, userId), getSettings(deps, { userId })]);
  return dialogs.filter(dialog => isTracked(dialog, settings));
}
