import type { DialogList, DialogPage, MessengerReader } from '../../../clients/messenger/types.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import { type ProminenceToast, presentToast } from './present.ts';
import * as repo from './repo.ts';
import { isRestUnchanged, toFlags, toProminence } from './rules.ts';
import { type AccountKey, type Dialog, type DialogKey, type Prominence, wasToken } from './schema.ts';

export { advanceCursors, lockDialogs, resetMatches, setMatches, updateLinkProblems } from './repo.ts';

/** Sets the person's own switch for one conversation. Throws Conflict when it has none. */
export async function setTracked(deps: { db: Db }, change: { userId: string; dialogId: string; isTracked: boolean }) {
  const dialog = await getReadable(deps.db, change);
  await repo.setSwitches(deps.db, change, { trackingChoice: change.isTracked });
  return { ...dialog, trackingChoice: change.isTracked };
}

/** Pins or mutes a conversation, or neither; returns what it was before. Throws NotFound, Conflict if never read. */
export async function setProminence(
  deps: { db: Db },
  change: { userId: string; dialogId: string; prominence: Prominence },
): Promise<{ dialog: Dialog; before: Prominence }> {
  const dialog = await getReadable(deps.db, change);
  await repo.setSwitches(deps.db, change, toFlags(change.prominence));
  return { dialog: { ...dialog, ...toFlags(change.prominence) }, before: toProminence(dialog) };
}

/** The choice that was just made, for the line with Undo; undefined once undone, and for another user's token. */
export async function findProminenceToast(
  { db }: { db: Db },
  { userId, token }: { userId: string; token: string | undefined },
): Promise<ProminenceToast | undefined> {
  const parsed = wasToken.safeParse(token);
  if (!parsed.success) return undefined;
  const { dialogId, before } = parsed.data;
  try {
    return presentToast(await repo.getDialog(db, { userId, dialogId }), before);
  } catch (err) {
    if (err instanceof NotFound) return undefined;
    throw err;
  }
}

/** Throws NotFound, and Conflict `NEVER_READ` for conversations without a switch. */
export async function getReadable(db: Db, key: DialogKey): Promise<Dialog> {
  const dialog = await repo.getDialog(db, key);
  if (dialog.unreadable !== null) throw new Conflict('NEVER_READ', 'This conversation is never read.');
  return dialog;
}

/** Runs a write if the caller still may: a sync only while its job is its own. */
export type Write = (work: (db: Db) => Promise<void>) => Promise<void>;

export type Listing = {
  /** Only conversations with messages since, by the messenger's clock, are listed; others are stored. Undefined: all */
  since: Date | undefined;
  /** Called between pages with the number of conversations so far. */
  onPage?: ((count: number) => Promise<void>) | undefined;
};

/**
 * Makes one pass over the messenger's lists of conversations, with the first page of the archive right after that of
 * the main list; rows are created and updated page by page. The messenger's service chat carries login codes, so not
 * even a row of it is kept.
 * @returns when the newest message was sent that was in the main list at the start: what moves during the pass may be
 *   missed, and is newer. Null without a message.
 */
export async function storeDialogList(
  write: Write,
  owner: AccountKey,
  reader: MessengerReader,
  { since, onPage }: Listing,
): Promise<Date | null> {
  const open = (list: DialogList) => ({ pages: reader.dialogs(list)[Symbol.asyncIterator](), count: 0, isDone: false });
  const [main, archive] = [open('main'), open('archive')];

  async function storeNextPage(list: typeof main): Promise<DialogPage | undefined> {
    const next = await list.pages.next();
    list.isDone = next.done || next.value.isLast;
    if (next.done) return undefined;
    const page = next.value;
    list.count = page.count;
    const kept = page.dialogs.filter(dialog => dialog.unreadable !== 'service');
    await write(async db => {
      const stored = since && (await repo.listTopMessages(db, owner, kept));
      await repo.upsertDialogs(db, owner, kept);
      if (stored && isRestUnchanged({ ...page, dialogs: kept }, since, stored)) list.isDone = true;
    });
    return page;
  }

  const firstPage = await storeNextPage(main);
  await storeNextPage(archive);
  for (const list of [main, archive]) {
    while (!list.isDone) {
      await onPage?.(main.count + archive.count);
      await storeNextPage(list);
    }
  }
  const newest = Math.max(0, ...(firstPage?.dialogs ?? []).map(({ lastMessageAt }) => lastMessageAt?.getTime() ?? 0));
  return newest > 0 ? new Date(newest) : null;
}
