import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startAlertBotSandbox } from '../../sandbox/alertBot/server.ts';
import { startMailSandbox } from '../../sandbox/mail/server.ts';
import { HOME_DC } from '../../sandbox/messenger/dataCentres.ts';
import { openState } from '../../sandbox/messenger/state.ts';
import { samplePrices } from '../../sandbox/payments/prices.ts';
import { startPaymentsSandbox } from '../../sandbox/payments/server.ts';

/** Each server kept its state in files of its own form: what `npm start` left in .data before must still be read. */
describe('State that an earlier version left', () => {
  let stateDir: string;

  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'forenoon-leftovers-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  const leave = (path: string, value: unknown) => writeFileSync(join(stateDir, path), JSON.stringify(value));

  /** What the server knows at the first and at the second start over the leftovers. */
  async function atBothStarts<S extends { stop(): Promise<void> }, T>(start: () => Promise<S>, read: (server: S) => T) {
    const known: T[] = [];
    for (let times = 0; times < 2; times += 1) {
      const server = await start();
      known.push(structuredClone(read(server)));
      await server.stop();
    }
    return known;
  }

  it('has its mails', async () => {
    const mail = { to: ['a@example.com'], from: 'b@example.com', subject: 'Hi', text: 'x', html: '', source: 'y' };
    const mails = [3, 4].map(id => ({ id, at: '2026-11-20T10:00:00.000Z', ...mail, headers: [] }));
    leave('mails.json', mails);
    const known = await atBothStarts(
      () => startMailSandbox({ port: 0, stateDir }),
      server => server.mails(),
    );
    expect(known).to.deep.equal([mails, mails]);
    expect(existsSync(join(stateDir, 'mails.json'))).to.equal(false);
  });

  it('has its alerts', async () => {
    const messages = [{ id: 1, at: '2026-11-20T10:00:00.000Z', text: 'A new user' }];
    leave('messages.json', messages);
    const known = await atBothStarts(
      () => startAlertBotSandbox({ token: '7:x', chatId: '7', stateDir }),
      server => server.messages(),
    );
    expect(known).to.deep.equal([messages, messages]);
  });

  it('has its subscriptions and events', async () => {
    const subscription = {
      ...{ id: 'sub_1', customerId: 'cus_1', priceId: 'price_pro', status: 'active', metadata: {}, createdAt: 1 },
      ...{ periodStart: 1, periodEnd: 2, endsWithPeriod: false, failsNext: false },
    };
    const events = [{ id: 'evt_1', type: 'x', createdAt: 1, object: {}, tries: 1, answer: 200, dueAt: null }];
    const customers = [{ id: 'cus_1', email: 'nora@example.com', createdAt: 1 }];
    leave('payments.json', { customers, subscriptions: [subscription], checkouts: [], portals: [], events });
    const secrets = { secretKey: 'sk', webhookSecret: 'whsec' };
    const known = await atBothStarts(
      () => startPaymentsSandbox({ port: 0, stateDir, prices: samplePrices(), ...secrets }),
      server => ({ subscriptions: server.subscriptions(), events: server.events() }),
    );
    const expected = { subscriptions: [subscription], events };
    expect(known).to.deep.equal([expected, expected]);
  });

  it('has its sessions, what arrived, and ids that are the same as before', () => {
    const secret = Buffer.alloc(32, 7).toString('base64');
    const key = {
      ...{ id: '00ff', dc: HOME_DC, secret, createdAt: 1, layer: 200, account: 'export-1' },
      ...{ passwordPending: null, refusal: null, code: null },
    };
    for (const folder of ['keys', 'accounts']) mkdirSync(join(stateDir, folder));
    leave('server.json', { secret });
    leave('keys/00ff.json', key);
    leave('keys/0001.json', { ...key, id: '0001', account: null });
    leave(`accounts/${encodeURIComponent('a/b')}.json`, { daysArrived: 2, arrived: [] });
    const first = openState(stateDir);
    expect(readdirSync(stateDir)).to.deep.equal(['messenger.jsonl']);
    const second = openState(stateDir);
    for (const state of [first, second]) {
      // Earlier versions knew no codes to scan.
      expect([...state.keys.values()]).to.deep.equal([{ ...key, loginToken: null }]);
      expect(state.accountRecord('a/b')).to.deep.equal({ daysArrived: 2, arrived: [] });
      // Clients compare these ids with those they stored.
      expect(state.derive('user:5')).to.equal(first.derive('user:5')).and.to.equal(3824104624610709843n);
    }
  });

  it('is named when it can’t be read, and left as it is', async () => {
    mkdirSync(join(stateDir, 'keys'));
    writeFileSync(join(stateDir, 'keys/00ff.json'), 'nonsense');
    expect(() => openState(stateDir)).to.throw(/00ff\.json can't be read\. Remove .* to begin with a new messenger\./);
    expect(readdirSync(join(stateDir, 'keys'))).to.deep.equal(['00ff.json']);
  });
});
