import type { ActionItem } from '../../clients/summarizer/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { refreshOpenItems } from './openItemRepo.ts';
import { getDigest } from './repo.ts';
import type { Digest } from './schema.ts';
import { deleteTick, insertTick, lockDigest } from './tickRepo.ts';

type Named = { userId: string; digestId: string; itemId: string };

/** An action item and the digest it stands in, whose `ticked` tells whether it is done. */
export type FoundItem = { digest: Digest; item: ActionItem };

/** Ticks an action item; ticked already, it stays so. Throws NotFound. */
export async function tickItem(deps: { db: Db; clock: Clock }, named: Named): Promise<FoundItem> {
  return deps.db.transaction(async trx => {
    const found = await lockItem(trx, named);
    await insertTick(trx, tickOf(named, found), deps.clock.now());
    await refreshOpenItems(trx, named);
    return findItem({ db: trx }, named);
  });
}

/** Takes the tick away; open already, it stays so. Throws NotFound. */
export async function untickItem(deps: { db: Db }, named: Named): Promise<FoundItem> {
  return deps.db.transaction(async trx => {
    const found = await lockItem(trx, named);
    await deleteTick(trx, tickOf(named, found));
    await refreshOpenItems(trx, named);
    return findItem({ db: trx }, named);
  });
}

/** Throws NotFound: unknown, somebody else's, or gone since the digest was written anew. */
export async function findItem({ db }: { db: Db }, { userId, digestId, itemId }: Named): Promise<FoundItem> {
  const digest = await getDigest(db, { userId, digestId });
  const item = digest.structured.actionItems.find(({ id }) => id === itemId);
  if (!item) throw new NotFound('action item');
  return { digest, item };
}

async function lockItem(trx: Db, named: Named): Promise<FoundItem> {
  await lockDigest(trx, named);
  return findItem({ db: trx }, named);
}

function tickOf({ userId, itemId }: Named, { digest }: FoundItem) {
  return { userId, itemId, dialogId: digest.dialogId };
}
