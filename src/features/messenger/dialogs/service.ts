import type { Db } from '../../../lib/db.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import { type ProminenceToast, presentToast } from './present.ts';
import * as repo from './repo.ts';
import { flagsOf, prominenceOf } from './rules.ts';
import { type Dialog, type Prominence, wasToken } from './schema.ts';

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

/** What was just chosen, for the line with Undo; undefined once undone, and for a token that isn't this person's. */
export async function findProminenceToast(
  { db }: { db: Db },
  { userId, token }: { userId: string; token: string | undefined },
): Promise<ProminenceToast | undefined> {
  const asked = wasToken.safeParse(token);
  if (!asked.success) return undefined;
  const { dialogId, before } = asked.data;
  try {
    return presentToast(await repo.getDialog(db, { userId, dialogId }), before);
  } catch (err) {
    if (err instanceof NotFound) return undefined;
    throw err;
  }
}

/** Throws NotFound, and Conflict `NEVER_READ` for what has no switch. */
export async function getReadable(db: Db, wanted: { userId: string; dialogId: string }): Promise<Dialog> {
  const dialog = await repo.getDialog(db, wanted);
  if (dialog.unreadable !== null) throw new Conflict('NEVER_READ', 'This conversation is never read.');
  return dialog;
}
