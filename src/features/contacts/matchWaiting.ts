import { announceReady, requestMatching } from '../crm/service.ts';
import { listDialogs } from '../messenger/dialogs/service.ts';
import { autoCreateContacts } from './autoCreateContacts.ts';
import type { ContactsDeps } from './decide.ts';
import { matchConversations } from './matching/matchConversations.ts';
import { listWaiting } from './matching/repo.ts';

/**
 * Matches the conversations that were read before the CRM was connected, as a sync would: as many as its searches
 * allow, and the rest in another job. Creates missing contacts where the user wants that, and lets the notes follow.
 * Safe beside a sync and beside itself: what was matched meanwhile isn't looked up again. Throws ClientError while the
 * CRM doesn't answer.
 */
export async function matchWaiting(
  deps: ContactsDeps,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<void> {
  const waiting = await listRead(deps, userId);
  if (waiting.length > 0) {
    await matchConversations(deps, { userId, dialogs: waiting, signal });
    await autoCreateContacts(deps, { userId, dialogIds: waiting.map(({ id }) => id) });
  }
  // Even with nothing left to match: a worker may have matched everything and died before this line.
  await announceReady(deps, { userId });
  const left = await listRead(deps, userId);
  if (left.length > 0 && left.length < waiting.length) await requestMatching(deps, deps.db, { userId });
}

/** A conversation that no sync has read yet is matched by the sync that reads it. */
async function listRead({ db }: Pick<ContactsDeps, 'db'>, userId: string) {
  const waiting = new Set(await listWaiting(db, userId));
  if (waiting.size === 0) return [];
  return (await listDialogs(db, userId)).filter(({ id, lastSyncedAt }) => lastSyncedAt !== null && waiting.has(id));
}
