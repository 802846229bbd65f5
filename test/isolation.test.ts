import { expect } from 'chai';
import { fingerprint } from './support/badInput.ts';
import { type Agent, connectMessenger, signIn, syncNow } from './support/people.ts';
import { type Service, startService, stopServices } from './support/service.ts';
import { until } from './support/until.ts';
import { dialog, message, owner, person, world } from './support/worlds.ts';

const OLU = person(2000, { firstName: 'Olu', lastName: 'Adeyemi', phone: '+34600111333' });
const READABLE = [
  '/api/digests',
  '/api/promises',
  '/api/waiting',
  '/api/messenger/dialogs',
  '/api/settings',
  '/today',
  '/promises',
  '/promises?view=theirs',
  '/promises?view=unassigned',
  '/promises?view=waiting',
  '/ask?q=What+happened+today%3F',
  '/api/ask?q=What+happened+today%3F',
  '/settings',
  '/settings/apps',
  '/privacy',
  '/conversations',
  '/contacts',
  '/contacts?q=Olu',
  '/week',
  '/sync',
];

/** Two people with one conversation each, whose every word names its owner. */
describe('Two users of the service', () => {
  let service: Service;
  let nora: Agent;
  let olu: Agent;

  before(async () => {
    const worlds = [only('nora', owner, 'Noraspeer', 'Norastopic'), only('olu', OLU, 'Oluspeer', 'Olustopic')];
    service = await startService({ worlds });
    nora = await signIn(service, 'nora@example.com');
    olu = await signIn(service, 'olu@example.com');
    await connectMessenger(service, nora, owner.phone ?? '');
    await connectMessenger(service, olu, OLU.phone ?? '');
    for (const agent of [nora, olu]) expect((await syncNow(agent)).result.digestsCreated).to.equal(1);
  });
  after(stopServices);

  it('each see their own conversation and digest', async () => {
    for (const [agent, peer] of [
      [nora, 'Noraspeer'],
      [olu, 'Oluspeer'],
    ] as const) {
      const { text: digests } = await agent.get('/api/digests').expect(200);
      const { text: dialogs } = await agent.get('/api/messenger/dialogs').expect(200);
      const { text: today } = await agent.get('/today').expect(200);
      for (const text of [digests, dialogs, today]) expect(text).to.include(peer);
    }
  });

  it('never see each other’s data on any page or endpoint', async () => {
    const oluIds = await everyIdOf('olu@example.com');
    for (const path of READABLE) {
      const { text } = await nora
        .get(path)
        .set('HX-Request', String(path === '/sync'))
        .expect(200);
      expect(text, path).not.to.match(/Oluspeer|Olustopic|olu@example|Adeyemi|600111333/);
      for (const id of oluIds) expect(text, path).not.to.include(id);
    }
  });

  it('can’t access each other’s data by id', async () => {
    const { id: dialogId } = await service.db('dialogs').where({ peer_name: 'Oluspeer' }).first();
    await nora.get(`/brief/${dialogId}`).expect(404);
    await nora.get('/api/brief').query({ dialogId }).expect(404);
    const { id: digestId } = await service.db('digests').where({ dialog_id: dialogId }).first();
    for (const path of [
      ...[`/digests/${digestId}`, `/digests/${digestId}/delete`, `/conversations/${dialogId}`],
      ...[`/conversations/${dialogId}/delete`, `/contacts?id=${dialogId}`, `/contacts/${dialogId}/create`],
    ])
      await nora.get(path).expect(404);
    const { id: accountId } = await service.db('messenger_accounts').where({ first_name: 'Olu' }).first();
    const { id: jobId } = await service
      .db('sync_jobs')
      .where('id', 'like', `%${await userIdOf('olu@example.com')}%`)
      .first();
    // The alerts of two sign-ups, connections and syncs are stored and sent in the background.
    const alerts = () => service.db('alerts').where({ state: 'logged' }).orWhere({ is_repeat: true });
    await until(async () => (await alerts()).length === 6);
    const before = await fingerprint(service.db);
    await nora.patch('/api/messenger/dialogs').send({ dialogId, isTracked: false }).expect(404);
    await nora.post(`/conversations/${dialogId}/track`).type('form').send({ isTracked: 'false' }).expect(404);
    await nora.post(`/conversations/${dialogId}/prominence`).type('form').send({ choice: 'pinned' }).expect(404);
    await nora.post('/api/messenger/disconnect').send({ accountId }).expect(404);
    await nora.get(`/settings/connections/${accountId}/disconnect`).expect(404);
    await nora.post(`/settings/connections/${accountId}/disconnect`).expect(404);
    expect((await nora.get('/api/sync/status').query({ jobId })).body.state).to.equal('not_found');
    expect(await fingerprint(service.db)).to.deep.equal(before);
  });

  it('change only their own settings', async () => {
    await nora.post('/api/settings').send({ syncTime: '06:15' }).expect(200);
    const { body } = await olu.get('/api/settings').expect(200);
    expect(body.config.syncTime).to.equal('18:00');
  });

  async function userIdOf(email: string): Promise<string> {
    return (await service.db('users').where({ email }).first()).id;
  }

  async function everyIdOf(email: string): Promise<string[]> {
    const userId = await userIdOf(email);
    const tables = ['messenger_accounts', 'dialogs', 'digests', 'sync_jobs'];
    const ids = await Promise.all(tables.map(table => service.db(table).where({ user_id: userId }).pluck('id')));
    return [userId, ...ids.flat()];
  }
});

function only(key: string, person_: typeof owner, peerName: string, topic: string) {
  const peer = person(person_.id + 1, { firstName: peerName });
  const messages = [1, 2].map(id => message(id, { from: peer.id, text: `Please send the ${topic} report by Friday.` }));
  return world({ key, owner: person_, users: [peer], dialogs: [dialog(`user:${peer.id}`, messages)] });
}
