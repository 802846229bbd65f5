import { expect } from 'chai';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Agent, connectCrm, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { type Reader, startReader, wantedNotes } from './crmPeople.ts';

const PEOPLE = [
  { name: 'Chidi Okafor', username: 'chidi_ok', phone: '+447700900318' },
  { name: 'Kwame Boateng' },
  { name: 'Ana Popescu' },
  { name: 'Twice At Once' },
  { name: 'Lost Answer' },
  { name: 'Mara Fink' },
];

describe('Creating a contact', () => {
  let service: Service;
  let crm: CrmSandbox;
  let lena: Agent;
  let userId: string;
  let idOf: Reader['idOf'];
  let rowOf: Reader['rowOf'];

  before(async () => {
    ({ service, crm, lena, userId, idOf, rowOf } = await startReader(PEOPLE));
    await connectCrm(service, lena);
  });
  after(stopServices);

  const create = (agent: Agent, body: object) => agent.post('/api/crm/contacts/create').send(body);
  const details = (name: string, more: object = {}) => {
    const [firstname, ...rest] = name.split(' ');
    return { dialogId: idOf(name), firstname, lastname: rest.join(' '), email: '', phone: '', ...more };
  };
  const called = (firstname: string) => crm.contacts().filter(({ properties }) => properties.firstname === firstname);

  it('writes the details and the username, and links the conversation', async () => {
    const asked = details('Chidi Okafor', { email: 'Chidi@Okafor.example', phone: '0044 7700 900318' });
    const { body } = await create(lena, asked).expect(200);
    const [made] = called('Chidi');
    const contact = { id: made?.id, firstname: 'Chidi', lastname: 'Okafor', email: made?.properties.email };
    expect(body).to.deep.equal({ success: true, contactId: made?.id, contact });
    expect(made?.properties).to.include({
      ...{ lastname: 'Okafor', phone: '+447700900318', messenger_username: 'chidi_ok', messenger_user_id: '6001' },
    });
    expect(made?.properties.email?.toLowerCase()).to.equal('chidi@okafor.example');
    expect(await rowOf('Chidi Okafor')).to.include({
      match_status: 'CREATED',
      crm_contact_id: made?.id,
      crm_contact_name: 'Chidi Okafor',
      match_confidence: '1.00',
    });
    expect(await wantedNotes(service)).to.deep.equal([{ userId, dialogIds: [idOf('Chidi Okafor')] }]);
  });

  it('writes what can be seen of a name, and the extension of a number', async () => {
    const unseen = details('Mara Fink', { firstname: '\u200b', lastname: '\u202e' });
    expect((await create(lena, unseen).expect(400)).body.fields).to.have.property('firstname');
    const asked = { firstname: 'Ma\u200bra', lastname: '\u202eFink', phone: '+49 30 1234567, ext. 45' };
    await create(lena, details('Mara Fink', asked)).expect(200);
    expect(called('Mara')[0]?.properties).to.include({ lastname: 'Fink', phone: '+49301234567 ext. 45' });
  });

  it('refuses an unpaired surrogate in any field, however deep, and says which', async () => {
    const deep = { phone: '+49 30 1234567\ud800', x: { y: ['\u0000'] } };
    for (const [field, value] of Object.entries(deep)) {
      const { body } = await create(lena, details('Ana Popescu', { [field]: value })).expect(400);
      expect(Object.keys(body.fields)).to.deep.equal([field === 'x' ? 'x.y.0' : field]);
    }
    const nested = `{"dialogId":"x","firstname":"A","x":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    await lena.post('/api/crm/contacts/create').type('json').send(nested).expect(404);
    expect(called('Ana')).to.deep.equal([]);
  });

  it('names the contact with the same messenger id, whatever its name', async () => {
    const existing = crm.createContact({ firstname: 'A.', lastname: 'Pop', messenger_user_id: '6003' });
    const { body } = await create(lena, details('Ana Popescu')).expect(409);
    expect(body).to.include({ code: 'CONTACT_EXISTS', existingContactId: existing });
    expect(called('Ana')).to.deep.equal([]);
  });

  it('is idempotent under concurrent submits in two processes', async () => {
    const other = await signIn({ url: await service.anotherWeb() }, 'lena@example.com');
    const asked = details('Twice At Once', { email: 'twice@example.com' });
    const answers = await Promise.all([lena, other, lena, other].map(agent => create(agent, asked)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.contactId)).size).to.equal(1);
    expect(called('Twice')).to.have.length(1);
    expect(await service.db('match_decisions').where({ dialog_id: idOf('Twice At Once') })).to.have.length(1);
  });
});

describe('Suggestions', () => {
  let service: Service;
  let crm: CrmSandbox;
  let lena: Agent;

  before(async () => {
    service = await startService({ crm: true, worker: false, env: { RATE_LIMIT_SUGGEST: '33' } });
    crm = service.crm;
    lena = await signIn(service, 'lena@example.com');
    await connectCrm(service, lena);
    for (const [firstname, lastname] of [
      ...['Irina Sokolova', 'Irina Novak', 'Olga Sokolova', 'Marc Dufour', 'Antoine Lapointe', 'Zoë Müller'],
      ...Array.from({ length: 9 }, (_, i) => `Irina Other${i}`),
    ].map(name => name.split(' '))) {
      crm.createContact({ firstname: firstname ?? '', lastname: lastname ?? '', email: `${lastname}@${firstname}.example` });
    }
    crm.createContact({ firstname: 'Ravi', company: 'Ravi & Sons' });
  });
  after(stopServices);

  const suggest = async (name: string) => {
    crm.resetCalls();
    const { body } = await lena.get('/api/crm/contacts/suggest').query({ name }).expect(200);
    return body.suggestions as { firstname: string; lastname: string }[];
  };
  const names = (found: { firstname: string; lastname: string }[]) =>
    found.map(({ firstname, lastname }) => `${firstname} ${lastname}`);

  it('looks for first and last name on their own, in two searches, and gives no contact twice', async () => {
    const found = await suggest('Irina Sokolova');
    expect(names(found).slice(0, 1)).to.deep.equal(['Irina Sokolova']);
    expect(names(found)).to.include('Olga Sokolova');
    expect(new Set(names(found)).size).to.equal(found.length);
    expect(crm.calls()).to.deep.equal({ 'contacts.search': 2 });
  });

  it('splits the name on |, - and /', async () => {
    for (const mark of [' | ', ' / ', ' - ', '-'])
      expect(names(await suggest(`Irina Sokolova${mark}Meridian`))[0], mark).to.equal('Irina Sokolova');
    expect(names(await suggest('Marc-Antoine Lapointe'))).to.have.members(['Marc Dufour', 'Antoine Lapointe']);
    expect(crm.calls()).to.deep.equal({ 'contacts.search': 2 });
  });

  it('makes no call to the CRM for an empty or unknown name', async () => {
    for (const name of ['', '   ', 'Unknown', '|', '- / -', '🚀']) expect(await suggest(name)).to.deep.equal([]);
    expect(crm.calls()).to.deep.equal({});
  });
});
