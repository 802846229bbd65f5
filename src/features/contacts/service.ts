import type { Db } from '../../lib/db.ts';
import { getSettings } from '../base/settings/service.ts';
import { listDialogs } from '../messenger/dialogs/repo.ts';
import { isTracked } from '../messenger/dialogs/rules.ts';
import type { Dialog } from '../messenger/dialogs/schema.ts';
import { lockDialogs, resetMatches } from '../messenger/dialogs/service.ts';
import { deleteDecisions } from './repo.ts';

/**
 * Drops the links when another CRM account replaces the last one: its contacts are other people's records. Ignored
 * conversations stay so. Takes part in the transaction that changes the account, and waits for decisions in progress.
 */
export async function forgetLinks(trx: Db, { userId }: { userId: string }): Promise<void> {
  const dialogIds = (await listDialogs(trx, userId)).map(({ id }) => id);
  await lockDialogs(trx, { userId, dialogIds });
  await resetMatches(trx, userId);
  await deleteDecisions(trx, userId);
}

/** The user's tracked conversations with how they are matched, newest first. */
export async function listContacts(deps: { db: Db }, { userId }: { userId: string }): Promise<Dialog[]> {
  const [dialogs, settings] = await Promise.all([listDialogs(deps.db, userId), getSettings(deps, { userId })]);
  return dialogs.filter(dialog => isTracked(dialog, settings));
}
