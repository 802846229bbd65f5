import type { Db } from '../../lib/db.ts';
import { getConnection } from '../crm/service.ts';
import { listNoteTargets } from '../notePlan/listNoteTargets.ts';
import { getSettings } from '../settings/service.ts';
import * as repo from './repo.ts';

type Owner = { userId: string };

/**
 * Which tasks are to be in the CRM: one for each promise of the user's own with a due day, on the contact of its
 * conversation, where notes may be written. Brings what is wanted in line with the promises and the links; writes nothing
 * to the CRM. Switched off, or with the CRM disconnected, everything stays as it is.
 */
export async function planTasks({ db }: { db: Db }, { userId }: Owner): Promise<void> {
  await db.transaction(async trx => {
    await repo.lockTasks(trx, userId);
    const connection = await getConnection({ db: trx }, { userId });
    if (connection.status === 'disconnected' || !connection.tasksWrite) return;
    const { timezone } = await getSettings({ db: trx }, { userId });
    const targets = await listNoteTargets(trx, { userId }, connection);
    const scope = { userId, portalId: connection.portalId, timezone, targets };
    await repo.dropUnwanted(trx, scope);
    await repo.takeBack(trx, scope);
    await repo.compare(trx, scope);
    await repo.addMissing(trx, scope);
  });
}
