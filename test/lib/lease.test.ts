import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { keepLease, takeLease } from '../../src/lib/lease.ts';
import { testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('A lease that is kept', () => {
  it('counts as lost once its time is over, also while the database does not answer a renewal', async () => {
    const { db } = await testDatabase();
    const lease = (await takeLease(db, ['one'], 1)) ?? expect.fail('it is free');
    const locking = await db.transaction();
    await locking.raw('lock table leases in access exclusive mode');
    const lost: boolean[] = [];
    const deps = { db, log: { warn: () => lost.push(false) } };
    const stop = keepLease(deps, lease, { onLost: isWanted => lost.push(isWanted) });
    await until(() => lost.length > 0);
    expect(lost).to.deep.equal([true]);
    stop();
    await locking('leases').delete();
    await locking.commit();
    await sleep(100);
    expect(lost, 'a renewal that ends after the lease was freed').to.deep.equal([true]);
  });
});
