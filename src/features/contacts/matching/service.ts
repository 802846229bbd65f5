import type { Db } from '../../../lib/db.ts';
import { Conflict } from '../../../lib/errors.ts';
import { getConnection } from '../../crm/service.ts';

/** Call it while holding the lock on the conversations: changing the account takes the same lock. */
export async function refuseOtherAccount(
  trx: Db,
  { userId, portalId }: { userId: string; portalId?: string | undefined },
): Promise<void> {
  if (portalId === undefined || (await getConnection({ db: trx }, { userId })).portalId === portalId) return;
  throw new Conflict('CRM_CHANGED', 'Another CRM account was connected in the meantime. Check it before you decide.');
}
