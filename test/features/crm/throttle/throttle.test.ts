import { expect } from 'chai';
import { holdOff, takeTurn } from '../../../../src/features/crm/throttle/service.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { failureOf } from '../../../clients/crm/account.ts';
import { testDatabase } from '../../../support/database.ts';

describe('The throttle of calls to the CRM', () => {
  let db: Db;

  before(async () => {
    ({ db } = await testDatabase());
  });

  /** Milliseconds after the first at which each got its turn. */
  async function turns(kind: 'search' | 'call', portalId: string, count: number): Promise<number[]> {
    const began = Date.now();
    const taken = Array.from({ length: count }, async () => {
      await takeTurn({ db }, { portalId, kind });
      return Date.now() - began;
    });
    return (await Promise.all(taken)).sort((a, b) => a - b);
  }

  it('lets three searches through at once, and no fourth within a second and a fifth', async () => {
    const at = await turns('search', 'one', 7);
    expect(at[2]).to.be.lessThan(900);
    expect(at[3]).to.be.at.least(1190);
    expect(at[6]).to.be.at.least(2390);
  });

  it('lets 20 other calls through at once, and no more within two seconds', async () => {
    const at = await turns('call', 'two', 30);
    expect(at[19]).to.be.lessThan(1500);
    expect(at[20]).to.be.at.least(1990);
  });

  it('keeps accounts and searches apart', async () => {
    await turns('search', 'three', 4);
    const began = Date.now();
    await takeTurn({ db }, { portalId: 'four', kind: 'search' });
    await takeTurn({ db }, { portalId: 'three', kind: 'call' });
    expect(Date.now() - began).to.be.lessThan(700);
  });

  it('pauses all calls, also the rest of a burst, when the CRM asks to wait', async () => {
    await holdOff(db, { portalId: 'five', kind: 'call' }, 1);
    const [first] = await turns('call', 'five', 3);
    expect(first).to.be.at.least(900);
  });

  it('says how long it would take instead of waiting for more than a minute, without taking a turn', async () => {
    await holdOff(db, { portalId: 'six', kind: 'search' }, 3600);
    for (let tries = 0; tries < 3; tries++) {
      const err = await failureOf(takeTurn({ db }, { portalId: 'six', kind: 'search' }));
      expect(err).to.include({ code: 'CRM_RATE_LIMIT', kind: 'rateLimited' });
      expect(err).to.have.property('retryAfterSeconds').within(3590, 3600);
    }
  });
});
