import type { Db } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { getDialog } from '../dialogs/repo.ts';
import { type ProminenceToast, presentToast } from './present.ts';
import { wasToken } from './schema.ts';

/** What was just chosen, for the line with Undo; undefined once undone, and for a token that isn't this person's. */
export async function findProminenceToast(
  { db }: { db: Db },
  { userId, token }: { userId: string; token: string | undefined },
): Promise<ProminenceToast | undefined> {
  const asked = wasToken.safeParse(token);
  if (!asked.success) return undefined;
  const { dialogId, before } = asked.data;
  try {
    return presentToast(await getDialog(db, { userId, dialogId }), before);
  } catch (err) {
    if (err instanceof NotFound) return undefined;
    throw err;
  }
}
