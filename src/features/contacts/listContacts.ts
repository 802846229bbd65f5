import type { Db } from '../../lib/db.ts';
import { listDialogs } from '../dialogs/repo.ts';
import { isTracked } from '../dialogs/rules.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { getSettings } from '../settings/service.ts';

/** The user's tracked conversations with how they are matched, newest first. */
export async function listContacts(deps: { db: Db }, { userId }: { userId: string }): Promise<Dialog[]> {
  const [dialogs, settings] = await Promise.all([listDialogs(deps.db, userId), getSettings(deps, { userId })]);
  return dialogs.filter(dialog => isTracked(dialog, settings));
}
