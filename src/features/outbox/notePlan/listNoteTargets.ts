import type { Db } from '../../../lib/db.ts';
import { linkOf, type WriteSwitches, writesNotes } from '../../contacts/matching/rules.ts';
import { listDialogs } from '../../messenger/dialogs/repo.ts';
import type { Target } from '../repo.ts';

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
