import { expect } from 'chai';
import { matchConversations } from '../../../../src/features/contacts/matching/matchConversations.ts';
import { listMatchState } from '../../../../src/features/contacts/matching/repo.ts';
import type { MatchState } from '../../../../src/features/contacts/matching/schema.ts';
import { listDialogs } from '../../../../src/features/messenger/dialogs/repo.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, connectCrm } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startReader } from '../crmPeople.ts';

const PEOPLE = [
  { name: 'Anna', phone: '+491713920027' },
  { name: '🚀', username: 'jonas_w' },
  { name: 'Дмитрий Орлов' },
  { name: 'Petra Vogel' },
  { name: '🌵', phone: '+34612345678' },
  { name: 'Switched Off' },
  { name: 'Carla Rossi' },
  { name: 'Deleted Later' },
  { name: 'Merged Later' },
  { name: 'Confirmed Deleted' },
  { name: 'Confirmed Merged' },
  { name: 'Ignored Person' },
];

describe('The matching of all conversations', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: (name: string) => string;
  const contacts = new Map<string, string>();

  before(async () => {
    ({ service, lena, userId, idOf } = await startReader(PEOPLE, { worker: true }));
    add('Anna', { firstname: 'Anna', lastname: 'Petersen', phone: '0049 171 3920027' });
    add('🚀', { firstname: 'Jonas', lastname: 'Weber' });
    add('Дмитрий Орлов', { firstname: 'Dmitrii', lastname: 'Orlov' });
    add('one Petra', { firstname: 'Petra', lastname: 'Vogel' });
    add('other Petra', { firstname: 'Petra', lastname: 'Vogel' });
    add('🌵', { firstname: 'Rosa', lastname: 'Vidal', phone: '612 345 678' });
    for (const { name } of PEOPLE.slice(5)) {
      const [firstname = '', lastname = ''] = name.split(' ');
      add(name, { firstname, lastname });
    }
    await connectCrm(service, lena);
    await lena
      .patch('/api/messenger/dialogs')
      .send({ dialogId: idOf('Switched Off'), isTracked: false })
      .expect(200);
    await run();
  });
  after(stopServices);

  function add(name: string, properties: Record<string, string>): void {
    contacts.set(name, service.crm.createContact(properties));
  }

  const run = async () => matchConversations(service.worker(), { userId, dialogs: await listDialogs(service.db, userId) });

  async function stateOf(name: string): Promise<MatchState> {
    const state = (await listMatchState(service.db, { userId })).get(idOf(name));
    if (!state) throw new Error(`no conversation with ${name}`);
    return state;
  }

  const searches = () => service.crm.calls()['contacts.search'] ?? 0;

  it('suggests contacts with a national number of the account’s country, without linking them', async () => {
    const { status, suggestions } = await stateOf('🌵');
    expect(status).to.equal('UNMATCHED');
    expect(suggestions.map(({ contact }) => contact.id)).to.deep.equal([contacts.get('🌵')]);
    expect(suggestions[0]?.evidence.find(({ field }) => field === 'phone')).to.include({
      ...{ verdict: 'similar', words: 'Same number as dialed in +34', theirs: '612 345 678' },
    });
  });

  it('links people by number and by name, in their own alphabet too, and says why', async () => {
    expect(await stateOf('Anna')).to.include({ status: 'AUTO_PHONE', confidence: 0.98, contactId: contacts.get('Anna') });
    const byName = await stateOf('Дмитрий Орлов');
    expect(byName).to.include({ status: 'AUTO_NAME', rule: 'name', contactId: contacts.get('Дмитрий Орлов') });
    expect(byName.evidence[0]).to.include({ words: 'Same name, different alphabet' });
  });

  it('finds contacts added meanwhile, and does not look up sure matches again', async () => {
    service.crm.updateContact(contacts.get('🚀') ?? '', { messenger_username: '@JONAS_W' });
    await run();
    expect(await stateOf('🚀')).to.include({ status: 'AUTO_USERNAME', confidence: 0.95 });
    const all = await listDialogs(service.db, userId);
    const sure = all.filter(({ peerName }) => ['🚀', 'Anna'].includes(peerName));
    service.crm.resetCalls();
    await matchConversations(service.worker(), { userId, dialogs: sure });
    expect(service.crm.calls()).to.deep.equal({ 'contacts.batchRead': 1 });
  });

  it('never proposes a rejected contact again and never touches a decision', async () => {
    const rejected = contacts.get('Carla Rossi') ?? '';
    await post(lena, `/contacts/${idOf('Carla Rossi')}/reject`, { contactId: rejected }).expect(303);
    await post(lena, `/contacts/${idOf('Ignored Person')}/ignore`).expect(303);
    await run();
    expect(await stateOf('Carla Rossi')).to.deep.include({ status: 'UNMATCHED', contactId: '', suggestions: [] });
    expect(await stateOf('Ignored Person')).to.include({ status: 'IGNORED', decidedBy: 'person' });
  });

  it('records a deleted contact and follows a merged one, whoever linked it', async () => {
    for (const name of ['Confirmed Deleted', 'Confirmed Merged']) {
      await lena
        .patch('/api/crm/contacts/search')
        .send({ dialogId: idOf(name), action: 'confirm' })
        .expect(200);
    }
    for (const name of ['Deleted Later', 'Confirmed Deleted']) service.crm.archiveContact(contacts.get(name) ?? '');
    const survivors = new Map<string, string>();
    for (const name of ['Merged Later', 'Confirmed Merged']) {
      const [firstname = '', lastname = ''] = name.split(' ');
      const other = service.crm.createContact({ firstname, lastname, company: 'Acme' });
      survivors.set(name, service.crm.mergeContacts(other, contacts.get(name) ?? ''));
    }
    await run();
    expect(await stateOf('Confirmed Deleted')).to.include({ status: 'CONFIRMED', problem: 'CONTACT_GONE' });
    expect(await stateOf('Confirmed Merged')).to.include({
      ...{ status: 'CONFIRMED', confidence: 1, problem: 'CONTACT_MERGED' },
      contactId: survivors.get('Confirmed Merged'),
    });
    expect(await stateOf('Deleted Later')).to.include({ status: 'UNMATCHED', contactId: '' });
    expect(await stateOf('Merged Later')).to.include({
      ...{ status: 'AUTO_NAME', problem: 'CONTACT_MERGED' },
      contactId: survivors.get('Merged Later'),
    });
  });

  it('stores nothing when the CRM fails midway', async () => {
    const before = await listMatchState(service.db, { userId });
    service.crm.faults.revokeGrants();
    const failed = await run().catch((err: unknown) => err);
    expect(failed).to.include({ code: 'CRM_AUTH' });
    expect(await listMatchState(service.db, { userId })).to.deep.equal(before);
    expect(searches()).to.be.above(0);
  });
});
