import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import { pullBackDailySyncs } from '../../sync/queueDailySyncs.ts';
import { endWhatIsAheadOfAllUsers, forgetRunsToComeOfAllUsers, takeSetBack } from './repo.ts';

/**
 * After the database's clock was set back because it was ahead: nothing waits for that time to come again. One process
 * does it for all.
 */
export async function replanAfterSetBack({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Promise<void> {
  await db.transaction(async trx => {
    if (!(await takeSetBack(trx))) return;
    log.warn('the database’s clock was set back: what was planned by it is brought back, too');
    // Both look at when the last syncs began, which is about to change.
    await forgetRunsToComeOfAllUsers(trx);
    await pullBackDailySyncs({ db: trx, clock });
    await endWhatIsAheadOfAllUsers(trx);
  });
}
