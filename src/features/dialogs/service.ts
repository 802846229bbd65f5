import type { MessengerReader } from '../../clients/messenger/types.ts';
import type { Db } from '../../lib/db.ts';
import { Conflict } from '../../lib/errors.ts';
import * as repo from './repo.ts';
import { flagsOf, prominenceOf } from './rules.ts';
import type { Dialog, Prominence } from './schema.ts';

type Owner = { userId: string; accountId: string };
/** Runs a write as the caller may: a sync only as long as its job is its own. */
type Write = (work: (db: Db) => Promise<void>) => Promise<void>;

/**
 * One pass over the messenger's list of conversations; the rows are made and brought up to date page by page.
 * The messenger's service chat carries login codes: of it not even a row is kept.
 */
export async function storeDialogList(write: Write, owner: Owner, reader: MessengerReader): Promise<void> {
  for await (const page of reader.dialogs()) {
    const kept = page.filter(dialog => dialog.unreadable !== 'service');
    await write(db => repo.upsertDialogs(db, owner, kept));
  }
}

/** Sets the person's own switch for one conversation. Throws Conflict when it has none. */
export async function setTracked(
  deps: { db: Db },
  change: { userId: string; dialogId: string; isTracked: boolean },
): Promise<Dialog> {
  const dialog = await getReadable(deps.db, change);
  await repo.setTrackingChoice(deps.db, change);
  return { ...dialog, trackingChoice: change.isTracked };
}

/** Pins a conversation, mutes it, or neither. With what it was before. Throws NotFound, and Conflict for what is never read. */
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
