import type { Db } from '../../../lib/db.ts';
import { Conflict } from '../../../lib/errors.ts';
import * as repo from './repo.ts';
import { flagsOf, prominenceOf } from './rules.ts';
import type { Dialog, Prominence } from './schema.ts';

export {
  advanceCursors,
  getDialog,
  listDialogs,
  listDialogsOfAccount,
  lockDialogs,
  resetMatches,
  setMatches,
  setProblems,
} from './repo.ts';

/** Sets the person's own switch for one conversation. Throws Conflict when it has none. */
export async function setTracked(
  deps: { db: Db },
  change: { userId: string; dialogId: string; isTracked: boolean },
): Promise<Dialog> {
  const dialog = await getReadable(deps.db, change);
  await repo.setTrackingChoice(deps.db, change);
  return { ...dialog, trackingChoice: change.isTracked };
}

/** Pins or mutes a conversation, or neither; returns what it was before. Throws NotFound, Conflict if never read. */
export async function setProminence(
  deps: { db: Db },
  change: { userId: string; dialogId: string; prominence: Prominence },
): Promise<{ dialog: Dialog; before: Prominence }> {
  const dialog = await getReadable(deps.db, change);
  await repo.setProminence(deps.db, change);
  return { dialog: { ...dialog, ...flagsOf(change.prominence) }, before: prominenceOf(dialog) };
}

/** Throws NotFound, and Conflict `NEVER_READ` for what has no switch. */
export async function getReadable(db: Db, wanted: { userId: string; dialogId: string }): Promise<Dialog> {
  const dialog = await repo.getDialog(db, wanted);
  if (dialog.unreadable !== null) throw new Conflict('NEVER_READ', 'This conversation is never read.');
  return dialog;
}
