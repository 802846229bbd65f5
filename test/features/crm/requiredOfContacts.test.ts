import { expect } from 'chai';
import { eachNoteWorld, settled } from '../../support/noteWorld.ts';
import { post, wordsOf } from '../../support/pages.ts';
import { syncNow } from '../../support/people.ts';

const SOURCE = { type: 'contacts', name: 'source', label: 'Source' } as const;
const NEW = { firstname: 'Anna', lastname: 'New', company: '', email: '', phone: '' };

describe('A property that the CRM account requires of contacts', () => {
  const world = eachNoteWorld();
  beforeEach(() => world.service.crm.requireProperty(SOURCE));

  const create = (details: object = {}) =>
    post(world.nora, `/contacts/${world.anna}/create`, { view: 'unmatched', ...NEW, ...details });
  const made = () => world.service.crm.contacts().filter(({ properties }) => properties.lastname === 'New');

  it('is named in the form, which keeps what was typed, and by the API', async () => {
    const { text } = await create().expect(409);
    const words = wordsOf(text);
    expect(words).to.include('No contact was created').and.include('The CRM requires “Source” for contacts.');
    expect(words).to.include('under Settings');
    expect(text).to.include('value="New"');
    const { dialogId, ...details } = { dialogId: world.anna, ...NEW };
    const { body } = await world.nora
      .post('/api/crm/contacts/create')
      .send({ dialogId, ...details })
      .expect(409);
    expect(body).to.include({ code: 'CRM_PROPERTY_REQUIRED' });
    expect(body.error).to.include('“Source” for contacts');
    expect(wordsOf((await world.nora.get('/settings')).text)).to.include('HubSpot requires “Source” for contacts');
    expect(made()).to.deep.equal([]);
  });

  it('limits automatic creation to one call a sync, and is named in its result; then everyone is created once', async () => {
    const { service, nora } = world;
    // Whoever may be the same as someone in the CRM is not created.
    for (const { id } of service.crm.contacts()) service.crm.archiveContact(String(id));
    await nora.post('/api/settings').send({ autoCreateContacts: true }).expect(200);
    service.crm.resetCalls();
    const { result } = await syncNow(nora);
    expect(result.errors[0]).to.have.property('message').that.includes('The CRM requires “Source” for contacts.');
    expect(service.crm.calls()['contacts.create']).to.equal(1);
    await post(nora, '/settings/crm/required', { type: 'contacts', name: 'source', value: 'Telegram' }).expect(303);
    await syncNow(nora);
    await syncNow(nora);
    await settled(world);
    const created = service.crm.contacts().filter(({ properties }) => properties.source === 'Telegram');
    expect(created.length).to.be.greaterThan(0);
    expect(new Set(created.map(({ properties }) => properties.messenger_user_id)).size).to.equal(created.length);
    expect(await service.db('dialogs').where({ match_status: 'CREATED' })).to.have.length(created.length);
  });
});
