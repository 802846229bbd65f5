import type { Db } from '../../../lib/db.ts';
import { getSettings } from '../../base/settings/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { listNoteTargets } from '../notes/planNotes.ts';
import { lockPlan, retryRefused } from '../repo.ts';
import * as repo from './repo.ts';
import { TASKS } from './rules.ts';

type Wanted = {
  userId: string;
  /** Tasks that wait for the CRM account's administrator, or the person, are tried once more. */
  retriesHeld?: boolean;
};

/**
 * Plans which tasks are to be in the CRM: one for each of the user's own promises with a due day, on its conversation's
 * contact, where notes may be written. Brings the plan in line with the promises and the links; writes nothing
 * to the CRM. While tasks are switched off, or the CRM is disconnected, everything stays as it is.
 */
export async function planTasks({ db }: { db: Db }, { userId, retriesHeld = false }: Wanted): Promise<void> {
  await db.transaction(async trx => {
    await lockPlan(trx, TASKS, userId);
    const connection = await getConnection(trx, userId);
    if (connection.status === 'disconnected' || !connection.tasksWrite) return;
    const { timezone } = await getSettings({ db: trx }, { userId });
    const targets = await listNoteTargets(trx, { userId }, connection);
    const scope = { userId, portalId: connection.portalId, timezone, targets };
    if (retriesHeld) await retryRefused(trx, TASKS, { ...scope, onlyHeld: true });
    await repo.dropUnwanted(trx, scope);
    await repo.takeBack(trx, scope);
    await repo.compare(trx, scope);
    await repo.addMissing(trx, scope);
  });
}
