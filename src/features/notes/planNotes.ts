import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { listNoteTargets } from '../contacts/service.ts';
import { getConnection } from '../crm/service.ts';
import { finishNotes, startNotes } from '../writing/noteMoveRepo.ts';
import * as repo from './planRepo.ts';

type Wanted = {
  userId: string;
  /** Of all conversations without. */
  dialogIds?: readonly string[] | undefined;
  /**
   * A person has decided about them: notes that may not be written any more are taken away, and what the CRM refused
   * before is tried once more. Without, what is written stays as long as the link does.
   */
  isDecided?: boolean;
};

/**
 * Brings the notes that are to be in the CRM in line with the digests and the links of their conversations, and the
 * digests' states with that. Writes nothing to the CRM. With the CRM disconnected nothing is wanted, and nothing lost.
 */
export async function planNotes(deps: { db: Db; clock: Clock }, wanted: Wanted): Promise<void> {
  const { userId, isDecided = false } = wanted;
  const dialogIds = wanted.dialogIds?.filter(isUuid);
  await deps.db.transaction(async trx => {
    await repo.lockNotes(trx, userId);
    const connection = await getConnection({ db: trx }, { userId });
    const isConnected = connection.status !== 'disconnected';
    const scope = { userId, portalId: isConnected ? connection.portalId : '', dialogIds };
    if (isConnected) {
      const targets = await listNoteTargets(trx, { userId, ...(dialogIds && { dialogIds }) }, connection);
      await repo.dropUnlinked(trx, scope, { targets, isStrict: isDecided });
      await repo.outdateChanged(trx, scope);
      if (isDecided) await repo.retryFailed(trx, scope);
      await repo.addMissing(trx, scope, targets);
    }
    const { toStart, toFinish } = await repo.listMisplaced(trx, scope);
    const now = deps.clock.now();
    await startNotes(trx, { userId, digestIds: toStart, now });
    await finishNotes(trx, { userId, digestIds: toFinish, now });
  });
}
