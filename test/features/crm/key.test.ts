import { expect } from 'chai';
import { findCrm } from '../../../src/features/crm/service.ts';
import { type NoteWorld, settled, startNotes } from '../../support/noteWorld.ts';
import { expectNothingInline, post, wordsOf } from '../../support/pages.ts';
import { signIn, syncNow } from '../../support/people.ts';
import { stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const KEY = 'pat-eu1-0f7e2c3b-0000-4000-8000-000000000001';
const ENV = { CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '', CRM_ACCESS_TOKEN: KEY, OWNER_EMAIL: 'nora@example.com' };

describe('A CRM account that is connected by the key of the installation', () => {
  let world: NoteWorld;

  beforeEach(async () => {
    world = await startNotes({ connected: false, env: ENV, keys: [KEY] });
  });
  afterEach(stopServices);

  const connect = () => post(world.nora, '/settings/crm/key', {});
  const settings = async () => wordsOf((await world.nora.get('/settings').expect(200)).text);
  const row = () => world.service.db('crm_connections').first();

  it('is connected at the press of a button, without a sign-in there, and writes what OAuth would', async () => {
    const { service, nora, anna, boris, userId } = world;
    await nora.get('/api/crm/connect').expect(302).expect('Location', '/settings/crm/key');
    await nora.get('/api/crm/connect?from=start').expect('Location', '/settings/crm/key?from=start');
    const page = await nora.get('/settings/crm/key').expect(200);
    expect(wordsOf(page.text)).to.include('no sign-in is needed').and.include('confident matches get notes automatically');
    expectNothingInline(page.text);
    expect(service.crm.calls()).to.deep.equal({});
    await connect().expect(303).expect('Location', '/settings');
    expect(await settings()).to.include('Connected by the key of this installation since today');
    const { credentials, portal_id: portalId } = await row();
    expect(credentials).not.to.include(KEY);
    expect(portalId).to.equal('8412077');

    await world.link(anna, '101');
    await settled(world);
    const { result } = await syncNow(nora);
    expect(result).to.deep.include({ notesCreated: 1, errors: [] });
    expect(service.crm.notes('101')).to.have.length(1);
    expect(service.crm.contacts().find(({ id }) => id === '101')?.properties.messenger_user_id).to.equal('2001');
    const details = { firstname: 'Boris', lastname: 'New', email: '', phone: '' };
    await nora
      .post('/api/crm/contacts/create')
      .send({ dialogId: boris, ...details })
      .expect(200);
    await until(() => service.crm.notes().length === 2);
    await post(nora, '/settings/crm', { tasksWrite: 'true' }).expect(303);
    await until(() => service.crm.tasks().length === 2);
    await nora.patch('/api/crm/contacts/search').send({ dialogId: anna, action: 'ignore' }).expect(200);
    await until(() => service.crm.notes('101').length === 0);
    await settled(world);
    expect(Object.keys(service.crm.calls()).filter(kind => kind.startsWith('oauth'))).to.deep.equal([]);
    expect((await service.db('users')).map(({ id }) => id)).to.deep.equal([userId]);
  });

  it('that is revoked is said in words; another key for the same account goes on where it ended', async () => {
    const { service, nora, anna } = world;
    await connect().expect(303);
    await world.link(anna, '101');
    await settled(world);
    service.crm.revokeKey(KEY);
    await syncNow(nora);
    expect((await row()).status).to.equal('expired');
    expect(await settings())
      .to.include('Key refused')
      .and.include('Put a good one in CRM_ACCESS_TOKEN');
    for (const page of ['/today', '/contacts']) {
      expect(wordsOf((await nora.get(page)).text))
        .to.include('The CRM no longer accepts this installation’s key')
        .and.include('Connect again')
        .and.not.include('Sign in to the CRM');
    }
    await connect().expect(303);
    expect(await settings()).to.include('It doesn’t accept the key of this installation');
    expect((await row()).status).to.equal('expired');
    service.crm.addKey(KEY);
    await connect().expect(303);
    await until(() => service.crm.notes('101').length === 1);
    await settled(world);
  });

  it('belongs to the owner alone: no other user can connect it, and a former owner can no longer use it', async () => {
    const { service, nora, userId } = world;
    await connect().expect(303);
    await service.db('users').insert({ email: 'olu@example.com' });
    await service.db('users').where({ email: 'nora@example.com' }).update({ email: 'before@example.com' });
    await nora.get('/settings/crm/key').expect(302);
    await connect().expect(302);
    service.crm.resetCalls();
    const found = await findCrm(service.worker(), { userId });
    expect(await found?.crm.readContacts(['101']).catch((err: unknown) => err)).to.include({ code: 'CRM_AUTH' });
    expect(service.crm.calls()).to.deep.equal({});
    expect((await row()).status).to.equal('expired');
  });

  it('that was replaced in the configuration is no longer used', async () => {
    const { service } = world;
    await connect().expect(303);
    const other = 'pat-eu1-0f7e2c3b-0000-4000-8000-000000000002';
    service.crm.resetCalls();
    const url = await service.anotherWeb({ CRM_ACCESS_TOKEN: other });
    const there = await signIn({ url }, 'nora@example.com');
    await there.get('/api/crm/contacts/suggest').query({ name: 'Anna' }).expect(409);
    expect(service.crm.calls()).to.deep.equal({});
    expect((await row()).status).to.equal('expired');
  });
});
