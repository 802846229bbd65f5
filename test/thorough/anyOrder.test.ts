import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { deliverAll } from '../../bench/kills/deliver.ts';
import { foreignLifeOf, lifeOf, seeded, shuffledWithRepeats } from '../../bench/kills/lives.ts';
import { addUsers, listForeign, standingOf } from '../../bench/kills/standing.ts';
import { type Envelope, paymentVariables } from '../features/billing/events.ts';
import { type Provider, startProvider } from '../features/billing/provider.ts';
import { type DatabaseLine, lineTo } from '../support/databaseLine.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const PAYERS = 20;
const STEPS = 15;
const START = 1_780_000_000;

describe('Payment events in any order', () => {
  let provider: Provider;
  let service: Service;
  let line: DatabaseLine | undefined;

  before(async () => {
    provider = await startProvider();
    service = await startService({ worker: false, env: paymentVariables(provider.url) });
  });
  after(async () => {
    line?.close();
    await stopServices();
    await provider.stop();
  });

  async function livesOf(run: string): Promise<{ users: string[]; lives: Envelope[][] }> {
    const users = await addUsers(
      service.db,
      Array.from({ length: PAYERS }, (_, n) => `${run}${n}@example.com`),
    );
    const lives = users.map((userId, seed) => lifeOf({ userId, seed, key: `${run}${seed}` }, START, STEPS));
    return { users, lives };
  }

  it('give the same plans and periods when repeated, parallel, among another product’s and through a database outage', async () => {
    const inOrder = await livesOf('a');
    await Promise.all(inOrder.lives.map(life => deliverAll(service.url, life, { sideBySide: 1 })));
    const mixed = await livesOf('b');
    const foreign = mixed.users.flatMap((_, seed) =>
      foreignLifeOf({ email: `b${seed}@example.com`, key: `b${seed}`, seed }, START),
    );
    const events = shuffledWithRepeats([...mixed.lives.flat(), ...foreign], seeded(7));
    line = await lineTo(service.databaseUrl);
    const { cut: hangUp, restore, url } = line;
    const webUrl = await service.anotherWeb({ DATABASE_URL: url });
    let cuts = 0;
    const cut = async () => {
      hangUp();
      await sleep(400);
      await restore();
    };
    const outcome = await deliverAll(webUrl, events, {
      sideBySide: 8,
      onDelivered(done) {
        if (done !== Math.floor((events.length * (cuts + 1)) / 3) || cuts === 2) return;
        cuts += 1;
        void cut();
      },
    });
    expect(cuts).to.equal(2);
    expect(outcome.unexpected).to.equal(0);
    expect(outcome.failed).to.be.greaterThan(0);
    for (const [n, userId] of mixed.users.entries()) {
      const expected = await standingOf(service.db, inOrder.users[n] ?? '');
      expect(await standingOf(service.db, userId), `payer ${n}`).to.deep.equal(expected);
    }
    expect(await listForeign(service.db, mixed.users)).to.deep.equal([]);
    const [stored] = await service.db('payment_events').count();
    expect(Number(stored?.count)).to.equal(inOrder.lives.flat().length + mixed.lives.flat().length);
  });
});
