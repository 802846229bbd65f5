import { expect } from 'chai';
import { sampleWorld } from '../../../sandbox/messenger/samples.ts';
import { lockDialogs } from '../../../src/features/messenger/dialogs/service.ts';
import { nameAccountLease } from '../../../src/features/messenger/withAccount.ts';
import { type Agent, connectMessenger, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, owner, person, world } from '../../support/worlds.ts';

const LENA = '+491713920012';
type DialogJson = {
  id: string;
  peerId: string;
  peerType: string;
  peerName: string;
  peerPhone: string;
  isTracked: boolean;
  lastMessageAt: string | null;
};

describe('The list of conversations', () => {
  let service: Service;
  let lena: Agent;
  let accountId: string;

  before(async () => {
    const world = sampleWorld(new Date());
    service = await startService({ worlds: [world], worker: false, env: { RATE_LIMIT_CONNECT: '50' } });
    lena = await signIn(service, 'lena@example.com');
    accountId = await connectMessenger(service, lena, LENA);
  });
  after(stopServices);

  const list = async (agent: Agent): Promise<DialogJson[]> =>
    (await agent.get('/api/messenger/dialogs').expect(200)).body.dialogs;
  const track = (agent: Agent, dialogId: string, isTracked: boolean) =>
    agent.patch('/api/messenger/dialogs').send({ dialogId, isTracked });

  it('lists every conversation with its tracking state, newest first', async () => {
    const dialogs = await list(lena);
    expect(dialogs.length).to.be.above(30);
    const times = dialogs.map(one => Date.parse(one.lastMessageAt ?? '1970-01-01'));
    expect(times).to.deep.equal([...times].sort((a, b) => b - a));
    expect(new Set(dialogs.map(one => one.id)).size).to.equal(dialogs.length);
  });

  it('reads private chats from the start, and groups only when the setting says so', async () => {
    const tracked = (dialogs: DialogJson[], type: string) => dialogs.filter(d => d.peerType === type && d.isTracked);
    const before = await list(lena);
    expect(tracked(before, 'user').length).to.be.above(20);
    expect([...tracked(before, 'group'), ...tracked(before, 'supergroup')]).to.deep.equal([]);
    await lena.post('/api/settings').send({ includeGroups: true }).expect(200);
    const after = await list(lena);
    expect([...tracked(after, 'group'), ...tracked(after, 'supergroup')].length).to.be.above(1);
    await lena.post('/api/settings').send({ includeGroups: false }).expect(200);
  });

  it('never reads bots, broadcast channels, saved messages and deleted accounts, and has no switch for them', async () => {
    const locked = (await list(lena)).filter(
      d => ['bot', 'channel'].includes(d.peerType) || d.peerName === 'Saved Messages',
    );
    expect(locked.length).to.be.above(1);
    for (const one of locked) {
      expect(one.isTracked).to.equal(false);
      const { body } = await track(lena, one.id, true).expect(409);
      expect(body.code).to.equal('NEVER_READ');
    }
    const readable = await service.db('dialogs').whereNull('unreadable').where({ peer_type: 'user' });
    expect(readable.map(row => row.peer_id)).not.to.include('777000');
    const reasons = await service.db('dialogs').distinct('unreadable').whereNotNull('unreadable').pluck('unreadable');
    expect(reasons.sort()).to.deep.equal(['bot', 'channel', 'deleted', 'self']);
    const { messenger_user_id: own } = await service.db('messenger_accounts').first('messenger_user_id');
    expect(await service.db('dialogs').where({ unreadable: 'self' }).pluck('peer_id')).to.deep.equal([own]);
  });

  it('shows phones of contacts only, in international form', async () => {
    const phones = (await list(lena)).map(one => one.peerPhone);
    expect(phones.filter(phone => phone !== '').length).to.be.above(3);
    expect(phones).to.include('');
    for (const phone of phones) expect(phone).to.match(/^(\+\d{7,15})?$/);
  });

  it('asks the messenger once a minute at the most', async () => {
    service.clock.advance(61_000);
    await list(lena);
    service.sandbox.resetCalls();
    await list(lena);
    expect(service.sandbox.calls()).not.to.have.property('messages.GetDialogs');
    service.clock.advance(61_000);
    await list(lena);
    expect(service.sandbox.calls()['messages.GetDialogs']).to.be.within(1, 3);
  });

  it('keeps the person’s own choice across new listings', async () => {
    const [chat] = (await list(lena)).filter(one => one.peerType === 'user' && one.isTracked);
    if (!chat) throw new Error('no conversation to switch off');
    const { body } = await track(lena, chat.id, false).expect(200);
    expect(body.success).to.equal(true);
    expect(body.dialog).to.include({ id: chat.id, isTracked: false });
    service.clock.advance(61_000);
    expect((await list(lena)).find(one => one.id === chat.id)?.isTracked).to.equal(false);
    await track(lena, chat.id, true).expect(200);
  });

  it('answers from what is stored while a sync has the connection', async () => {
    service.clock.advance(61_000);
    await service.db('leases').insert({ name: nameAccountLease(accountId), holder: accountId, held_until: 'infinity' });
    service.sandbox.resetCalls();
    expect((await list(lena)).length).to.be.above(30);
    expect(service.sandbox.calls()).to.deep.equal({});
    await service.db('leases').delete();
  });

  it('lets a row that names a conversation be added while its match is decided', async () => {
    const { id, user_id: userId } = await service.db('dialogs').first();
    await service.db.transaction(async trx => {
      await lockDialogs(trx, { userId, dialogIds: [id] });
      expect(await service.db('dialogs').where({ id }).forKeyShare().noWait().pluck('id')).to.deep.equal([id]);
    });
  });

  it('answers from the database while the messenger asks to wait, without calling it', async () => {
    service.clock.advance(61_000);
    service.sandbox.faults.next({ on: 'messages.GetDialogs', status: 420, message: 'FLOOD_WAIT_300' });
    expect((await list(lena)).length).to.be.above(30);
    service.clock.advance(200_000);
    service.sandbox.resetCalls();
    expect((await list(lena)).length).to.be.above(30);
    expect(service.sandbox.calls()).to.deep.equal({});
    service.clock.advance(101_000);
    await list(lena);
    expect(service.sandbox.calls()).to.have.property('messages.GetDialogs');
  });
});

describe('Disconnecting a messenger account', () => {
  let service: Service;
  let nora: Agent;
  const PHONE = owner.phone ?? '';

  before(async () => {
    const worlds = [world({ ...crowd(5) }), world({ key: 'two', owner: person(9, { phone: '+34600111444' }), dialogs: [] })];
    service = await startService({ worlds, worker: false, env: { RATE_LIMIT_CONNECT: '50' } });
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  const disconnect = (agent: Agent, accountId: string) => agent.post('/api/messenger/disconnect').send({ accountId });

  it('logs the session out at the messenger and wipes the credentials', async () => {
    const accountId = await connectMessenger(service, nora, PHONE);
    service.sandbox.resetCalls();
    const { body } = await disconnect(nora, accountId).expect(200);
    expect(body).to.deep.equal({ success: true, revoked: true });
    expect(service.sandbox.calls()['auth.LogOut']).to.equal(1);
    const row = await service.db('messenger_accounts').where({ id: accountId }).first();
    expect(row).to.include({ status: 'inactive', credentials: null });
    expect((await nora.get('/api/messenger/dialogs').expect(200)).body).to.deep.equal({ dialogs: [] });
  });

  it('wipes the credentials even when the messenger can’t be reached, and says so', async () => {
    const accountId = await connectMessenger(service, nora, PHONE);
    service.sandbox.faults.next({ on: 'auth.LogOut', times: 99, status: 500, message: 'INTERNAL' });
    const { body } = await disconnect(nora, accountId).expect(200);
    service.sandbox.faults.clear();
    expect(body).to.deep.equal({ success: true, revoked: false });
    const row = await service.db('messenger_accounts').where({ id: accountId }).first();
    expect(row).to.include({ status: 'inactive', credentials: null });
  });

  it('keeps conversations and their cursors for the next sign-in', async () => {
    const accountId = await connectMessenger(service, nora, PHONE);
    await nora.get('/api/messenger/dialogs').expect(200);
    const before = await service.db('dialogs').where({ account_id: accountId }).orderBy('id').select('id', 'peer_id');
    await disconnect(nora, accountId).expect(200);
    expect(await connectMessenger(service, nora, PHONE)).to.equal(accountId);
    await nora.get('/api/messenger/dialogs').expect(200);
    const after = await service.db('dialogs').where({ account_id: accountId }).orderBy('id').select('id', 'peer_id');
    expect(after).to.deep.equal(before);
  });
});
