import type { StructuredDigest } from '../../../clients/summarizer/types.ts';
import type { Db } from '../../../lib/db.ts';
import type { DigestSources } from '../../digests/schema.ts';
import { findSettledElsewhere } from './findSettledElsewhere.ts';
import * as repo from './repo.ts';
import { dropBystanderSources, reuseKnownItemIds } from './rules.ts';
import type { Closing, OpenPromiseRow } from './schema.ts';

export {
  listItemsLeftOpen,
  listOpenPromises,
  lockPromisesOfDialogs,
  recordPromises,
} from './repo.ts';

type DigestContent = { dialogId: string; structured: StructuredDigest; sources: DigestSources } & {
  closings?: readonly Closing[];
  promises?: readonly OpenPromiseRow[];
};

/**
 * Returns digests that are about to be written, with the known ids of their conversations' promises on their items, and
 * without those that only others said again.
 * Locks the conversations until the transaction ends, so that two writers never take one promise for two.
 */
export async function assignKnownIds<T extends DigestContent>(
  trx: Db,
  { userId }: { userId: string },
  digests: readonly T[],
): Promise<T[]> {
  const dialogIds = digests.map(({ dialogId }) => dialogId);
  await repo.lockPromisesOfDialogs(trx, { userId, dialogIds });
  const known = await repo.listKnownPromises(trx, { userId, dialogIds });
  return digests.map(digest => {
    const promises = known.get(digest.dialogId) ?? [];
    const items = reuseKnownItemIds(digest.structured.actionItems, promises, digest);
    const actionItems = dropBystanderSources(items, promises, digest.sources.messages);
    return { ...digest, structured: { ...digest.structured, actionItems } };
  });
}

/** Asks about the user's promises that the digests of a day (YYYY-MM-DD) show to be settled perhaps in another chat. */
export async function doubtPromisesSettledElsewhere(
  trx: Db,
  { userId, digestDate, now }: { userId: string; digestDate: string; now: Date },
): Promise<void> {
  const promises = await repo.listPromisesToPersons(trx, { userId });
  const digests = promises.length > 0 ? await repo.listDigestsOfPersons(trx, { userId, digestDate }) : [];
  const closings = findSettledElsewhere(promises, digests);
  if (closings.length === 0) return;
  await repo.lockPromisesOfDialogs(trx, { userId, dialogIds: closings.map(({ dialogId }) => dialogId) });
  await repo.recordPromises(trx, { userId, now }, { closings });
}
