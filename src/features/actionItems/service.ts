import type { ActionItem } from '../../clients/summarizer/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { getDigest } from '../digests/repo.ts';
import type { Digest } from '../digests/schema.ts';
import { setTick } from '../promises/repo.ts';

type Named = { userId: string; digestId: string; itemId: string };

/** An action item and its digest, whose `ticked` says whether it is done. */
export type FoundItem = { digest: Digest; item: ActionItem };

/** Ticks an action item; ticked already, it stays so. Throws NotFound. */
export async function tickItem({ db, clock }: { db: Db; clock: Clock }, named: Named): Promise<FoundItem> {
  return itemOf(await setTick(db, { ...named, isDone: true, now: clock.now() }), named);
}

/** Takes the tick away; open already, it stays so. Throws NotFound. */
export async function untickItem({ db, clock }: { db: Db; clock: Clock }, named: Named): Promise<FoundItem> {
  return itemOf(await setTick(db, { ...named, isDone: false, now: clock.now() }), named);
}

/** Throws NotFound: unknown, another user's, or gone since the digest was rewritten. */
export async function findItem({ db }: { db: Db }, { userId, digestId, itemId }: Named): Promise<FoundItem> {
  return itemOf(await getDigest(db, { userId, digestId }), { itemId });
}

function itemOf(digest: Digest | undefined, { itemId }: { itemId: string }): FoundItem {
  const item = digest?.structured.actionItems.find(({ id }) => id === itemId);
  if (!digest || !item) throw new NotFound('action item');
  return { digest, item };
}
