import type { ActionItem } from '../../clients/summarizer/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import { getDigest } from '../digests/repo.ts';
import type { Digest } from '../digests/schema.ts';
import { setTick } from '../promises/repo.ts';
import { requestTasks } from '../promises/service.ts';

type Deps = { db: Db; clock: Clock; queue: Queue };
type Named = { userId: string; digestId: string; itemId: string };

/** An action item and its digest, whose `ticked` says whether it is done. */
export type FoundItem = { digest: Digest; item: ActionItem };

/** Ticks an action item; ticked already, it stays so. Throws NotFound. */
export async function tickItem(deps: Deps, named: Named): Promise<FoundItem> {
  return setDone(deps, named, true);
}

/** Takes the tick away; open already, it stays so. Throws NotFound. */
export async function untickItem(deps: Deps, named: Named): Promise<FoundItem> {
  return setDone(deps, named, false);
}

async function setDone(deps: Deps, named: Named, isDone: boolean): Promise<FoundItem> {
  const found = itemOf(await setTick(deps.db, { ...named, isDone, now: deps.clock.now() }), named);
  await requestTasks(deps, named);
  return found;
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
