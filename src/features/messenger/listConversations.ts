import type { MessengerReader } from '../../clients/messenger/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Listing, storeDialogList, type Write } from './dialogs/storeDialogList.ts';
import { setDialogsListed } from './repo.ts';
import { listedSince } from './rules.ts';
import type { SealedAccount } from './schema.ts';

/**
 * Brings the stored conversations of an account up to date: all of them once a day, at other times those that moved since
 * they were last listed. Names, phones and unread counts of the others may be a day old.
 */
export async function listConversations(
  { write, clock }: { write: Write; clock: Clock },
  { userId, account }: { userId: string; account: SealedAccount },
  reader: MessengerReader,
  { onPage }: Pick<Listing, 'onPage'> = {},
): Promise<void> {
  const owned = { userId, accountId: account.id };
  const since = listedSince(account, clock.now());
  const knownUntil = await storeDialogList(write, owned, reader, { since, onPage });
  const listed = { now: clock.now(), isWhole: since === undefined, knownUntil };
  await write(db => setDialogsListed(db, owned, listed));
}
