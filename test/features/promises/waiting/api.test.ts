import { expect } from 'chai';
import { post } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest, storedItem } from '../../pages/today/stored.ts';
import { storeQuestion } from './stored.ts';

type Json = { dialogId: string; messageId: string; lastMessageId: string; question: string; dialog: { peerName: string } };

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');

describe('The API of who waits', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let dialogId: string;

  const list = async (query: object = {}, agent = nora) =>
    (await agent.get('/api/waiting').query(query).expect(200)).body as { count: number; waiting: Json[] };
  const questions = async () => (await list()).waiting.map(({ question }) => question);
  const change = (body: object, agent = nora) => agent.patch('/api/waiting').send({ dialogId, ...body });
  const ask = (askedAt: string, more: { words?: string; dialogId?: string; messageId?: number } = {}) =>
    storeQuestion(service.db, owner.userId, { dialogId, askedAt, ...more });
  const setClock = (at: string) => service.clock.advance(Date.parse(at) - service.clock.now().getTime());
  const saveDays = (waitingDays: string) =>
    post(nora, '/settings', {
      ...{ syncTime: '18:00', timezone: 'UTC', minMessages: '1', summaryStyle: 'BUSINESS', waitingDays },
    });

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
  });
  after(stopServices);
  beforeEach(async () => {
    setClock(NOW.toISOString());
    await service.db('dialogs').delete();
    await service.db('sync_configs').delete();
    ({ dialogId } = await storeDigest(service.db, owner, { name: 'Ingrid Solberg', day: '2026-11-24' }));
  });

  it('lists who has waited for a working day, the longest wait first, with how many there are', async () => {
    const { dialogId: noor } = await storeDigest(service.db, owner, { name: 'Noor Haddad', day: '2026-11-24' });
    await ask('2026-11-24T09:40:00Z', { words: 'Needs the pro forma.', dialogId: noor });
    const messageId = await ask('2026-11-23T10:12:00Z', { words: 'Asks whether the tags survive.' });
    const lastMessageId = await ask('2026-11-24T08:00:00Z', { words: 'Asks again.' });
    await ask('2026-11-24T11:00:00Z', { words: 'Asked since.' });
    const { count, waiting } = await list();
    expect(count).to.equal(2);
    expect(waiting[0]).to.deep.equal({
      ...{ dialogId, messageId, lastMessageId, askedAt: '2026-11-23T10:12:00.000Z' },
      question: 'Asks whether the tags survive.',
      dialog: { peerName: 'Ingrid Solberg', peerUsername: '' },
    });
    expect(waiting[1]?.question).to.equal('Needs the pro forma.');
    expect(await list({ limit: 1, offset: 1 })).to.deep.equal({ count: 2, waiting: [waiting[1]] });
  });

  it('leaves out groups without a choice of their own while groups are not read', async () => {
    await ask('2026-11-23T10:12:00Z', { words: 'Asks the group.' });
    const count = async () => (await list()).count;
    await service.db('dialogs').update({ peer_type: 'group' });
    expect(await count()).to.equal(0);
    await service.db('dialogs').update({ tracking_choice: true });
    expect(await count()).to.equal(1);
    await service.db('dialogs').update({ tracking_choice: null });
    await saveDays('1').expect(303);
    expect(await count()).to.equal(0);
    await service.db('sync_configs').update({ include_groups: true });
    expect(await count()).to.equal(1);
  });

  const moments: [string, string, string, boolean][] = [
    ['1', '2026-11-20T17:00:00Z', '2026-11-23T16:59:00Z', false],
    ['1', '2026-11-20T17:00:00Z', '2026-11-23T17:00:00Z', true],
    ['1', '2026-11-20T09:00:00Z', '2026-11-21T10:00:00Z', false],
    ['1', '2026-11-21T12:00:00Z', '2026-11-23T23:00:00Z', false],
    ['1', '2026-11-21T12:00:00Z', '2026-11-24T00:00:00Z', true],
    ['2', '2026-11-23T09:00:00Z', '2026-11-24T09:00:00Z', false],
    ['2', '2026-11-23T09:00:00Z', '2026-11-25T09:00:00Z', true],
    ['7', '2026-11-12T09:00:00Z', '2026-11-22T09:00:00Z', false],
    ['7', '2026-11-12T09:00:00Z', '2026-11-23T09:00:00Z', true],
  ];
  for (const [days, askedAt, now, waits] of moments) {
    it(`${waits ? 'has' : 'has not'} somebody waiting on ${now} since ${askedAt} after ${days} working days`, async () => {
      await saveDays(days).expect(303);
      await ask(askedAt);
      setClock(now);
      expect((await list()).count).to.equal(Number(waits));
    });
  }

  it('counts working days in the user’s time zone, over a change of the clocks', async () => {
    await nora.post('/api/settings').send({ timezone: 'Europe/Berlin' }).expect(200);
    await ask('2026-10-23T15:00:00Z');
    setClock('2026-10-26T15:59:00Z');
    expect((await list()).count).to.equal(0);
    setClock('2026-10-26T16:00:00Z');
    expect((await list()).count).to.equal(1);
  });

  it('leaves out a question that is a promise with a day, and lists one whose promise has none', async () => {
    const messageId = await ask('2026-11-23T10:12:00Z');
    const promise = async (details: object) => {
      await service.db('promises').delete();
      const actionItems = [storedItem('Send the price', { sourceMessageIds: [messageId], ...details })];
      const about = { dialogId, day: '2026-11-22', structured: { actionItems } };
      await service.db('digests').delete();
      await storeDigest(service.db, owner, about);
      return (await list()).count;
    };
    expect(await promise({ dueDate: '2026-12-01' })).to.equal(0);
    expect(await promise({ dueDate: '2026-12-01', owner: 'contact' })).to.equal(1);
    expect(await promise({ sourceMessageIds: ['1'], dueDate: '2026-12-01' })).to.equal(1);
    expect(await promise({})).to.equal(1);
    await service.db('promises').update({ state: 'done' });
    expect((await list()).count).to.equal(0);
  });

  it('forgets dismissed questions, undoes that, and counts a newer question again', async () => {
    const lastMessageId = await ask('2026-11-23T10:12:00Z', { words: 'First' });
    const gone = { action: 'dismiss', lastMessageId };
    for (let times = 0; times < 2; times++) {
      expect((await change(gone).expect(200)).body).to.deep.equal({ success: true });
      expect(await questions()).to.deep.equal([]);
    }
    await change({ action: 'undo' }).expect(200);
    expect(await questions()).to.deep.equal(['First']);
    const { body } = await change({ action: 'undo' }).expect(409);
    expect(body.code).to.equal('NOTHING_TO_UNDO');
    await change(gone).expect(200);
    await ask('2026-11-23T12:00:00Z', { words: 'Second' });
    expect(await questions()).to.deep.equal(['Second']);
    await change({ action: 'undo' }).expect(200);
    expect(await questions()).to.deep.equal(['First']);
  });

  it('lists no conversation that is muted, no longer read, or of an account that was disconnected', async () => {
    await ask('2026-11-23T10:12:00Z');
    const states = [
      ['dialogs', { is_muted: true }, { is_muted: false }],
      ['dialogs', { tracking_choice: false }, { tracking_choice: null }],
      ['messenger_accounts', { status: 'inactive' }, { status: 'active' }],
    ] as const;
    for (const [table, hidden, shown] of states) {
      await service.db(table).update(hidden);
      expect((await list()).count).to.equal(0);
      await service.db(table).update(shown);
      expect((await list()).count).to.equal(1);
    }
  });
});
