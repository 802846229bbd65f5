import type { Db } from '../../lib/db.ts';
import { listDialogs } from '../dialogs/repo.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { type WriteSwitches, writesNotes } from './linkRules.ts';

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

function linkOfDialog(dialog: Dialog) {
  return { status: dialog.matchStatus, confidence: dialog.matchConfidence, contactId: dialog.crmContactId };
}
