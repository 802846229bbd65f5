import type { StructuredDigest } from '../../../clients/summarizer/types.ts';
import type { Db } from '../../../lib/db.ts';
import type { DigestSources } from '../../digests/schema.ts';
import { listKnownPromises, lockPromisesOf } from './repo.ts';
import { keepItemIds, withoutOthers } from './rules.ts';

export {
  applyClosings,
  listItemsLeftOpen,
  listOpenPromises,
  lockPromisesOf,
  recordPromises,
} from './repo.ts';

type Said = { dialogId: string; structured: StructuredDigest; sources: DigestSources };

/**
 * Returns digests that are about to be written, with the known ids of their conversations' promises on their items, and
 * without those that only others said again.
 * Locks the conversations until the transaction ends, so that two writers never take one promise for two.
 */
export async function keepIdentities<T extends Said>(
  trx: Db,
  { userId }: { userId: string },
  digests: readonly T[],
): Promise<T[]> {
  const dialogIds = digests.map(({ dialogId }) => dialogId);
  await lockPromisesOf(trx, { userId, dialogIds });
  const known = await listKnownPromises(trx, { userId, dialogIds });
  return digests.map(digest => {
    const promises = known.get(digest.dialogId) ?? [];
    const items = keepItemIds(digest.structured.actionItems, promises);
    const actionItems = withoutOthers(items, promises, digest.sources.messages);
    return { ...digest, structured: { ...digest.structured, actionItems } };
  });
}
