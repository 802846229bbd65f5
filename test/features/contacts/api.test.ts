import { expect } from 'chai';
import { type Agent, connectCrm } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { contact, found, startReader, wantedNotes } from './crmPeople.ts';

const PEOPLE = [
  { name: 'Irina Sokolova', username: 'irina_meridian', phone: '+491713920027' },
  { name: 'Bruno Keller' },
  { name: 'Wei Zhang' },
  { name: 'Nobody Known' },
];

describe('The list of contacts and the decisions about them', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: (name: string) => string;
  let irina: string;

  before(async () => {
    ({ service, lena, userId, idOf } = await startReader(PEOPLE));
    irina = service.crm.createContact({ firstname: 'Irina', lastname: 'Sokolova', email: 'irina@meridian.example' });
  });
  after(stopServices);

  const list = async () => (await lena.get('/api/crm/contacts/search').expect(200)).body.contacts;
  const entryOf = async (name: string) => (await list()).find((entry: { peerName: string }) => entry.peerName === name);
  const decide = (agent: Agent, body: object) => agent.patch('/api/crm/contacts/search').send(body);
  const match = (agent: Agent, body: object) => agent.patch('/api/crm/contacts/match').send(body);
  const propose = (name: string) =>
    found({ service, userId }, idOf(name), {
      ...{ status: 'AUTO_NAME', confidence: 0.82, rule: 'name' },
      contact: contact({ id: irina, firstName: 'Irina', lastName: 'Sokolova' }),
    });

  it('lists all tracked conversations with the listed fields and no others', async () => {
    expect(await list()).to.have.length(4);
    expect(await entryOf('Irina Sokolova')).to.deep.equal({
      ...{
        id: idOf('Irina Sokolova'),
        peerName: 'Irina Sokolova',
        peerUsername: 'irina_meridian',
        peerPhone: '+491713920027',
      },
      ...{ matchStatus: 'UNMATCHED', matchConfidence: 0, crmContactId: '', crmContactName: null },
    });
  });

  it('stores a contact as given while no CRM is connected', async () => {
    const asked = { dialogId: idOf('Nobody Known'), crmContactId: 'any-word', matchStatus: 'CONFIRMED' };
    const { body } = await match(lena, asked).expect(200);
    expect(body).to.deep.equal({ success: true, contact: await entryOf('Nobody Known') });
    expect(body.contact).to.include({ matchStatus: 'CONFIRMED', matchConfidence: 1, crmContactId: 'any-word' });
  });

  it('confirms the proposed contact at 1.0 and requests its notes', async () => {
    await connectCrm(service, lena);
    await propose('Irina Sokolova');
    const { body } = await decide(lena, { dialogId: idOf('Irina Sokolova'), action: 'confirm' }).expect(200);
    expect(body).to.deep.equal({ success: true, contact: await entryOf('Irina Sokolova') });
    expect(body.contact).to.include({ matchStatus: 'CONFIRMED', matchConfidence: 1, crmContactId: irina });
    expect(await wantedNotes(service)).to.deep.include({ userId, dialogIds: [idOf('Irina Sokolova')] });
  });

  it('ignores a conversation: its link is removed and the pair is never proposed again', async () => {
    const dialogId = idOf('Bruno Keller');
    await propose('Bruno Keller');
    const { body } = await decide(lena, { dialogId, action: 'ignore' }).expect(200);
    expect(body.contact).to.include({ matchStatus: 'IGNORED', matchConfidence: 0, crmContactId: '' });
    expect(body.contact.crmContactName).to.equal(null);
    const rejected = await service.db('rejected_matches').where({ dialog_id: dialogId });
    expect(rejected.map(row => row.crm_contact_id)).to.deep.equal([irina]);
    await propose('Bruno Keller');
    expect(await entryOf('Bruno Keller')).to.include({ matchStatus: 'IGNORED', crmContactId: '' });
  });

  it('accepts any of the seven statuses, at 1.0 and linked', async () => {
    const dialogId = idOf('Bruno Keller');
    for (const matchStatus of ['UNMATCHED', 'AUTO_PHONE', 'AUTO_USERNAME', 'AUTO_NAME', 'CONFIRMED', 'IGNORED', 'CREATED']) {
      const { body } = await match(lena, { dialogId, crmContactId: irina, matchStatus }).expect(200);
      expect(body.contact).to.include({ matchStatus, matchConfidence: 1, crmContactId: irina });
      expect(body.contact.crmContactName).to.equal('Irina Sokolova');
      await found({ service, userId }, dialogId, { status: 'AUTO_PHONE', confidence: 0.98, rule: 'phone' });
      expect(await entryOf('Bruno Keller')).to.include({ matchStatus, crmContactId: irina });
    }
  });

  it('corrects a match: the former contact is remembered as rejected, the new one is not', async () => {
    const dialogId = idOf('Irina Sokolova');
    const other = service.crm.createContact({ firstname: 'Irina', lastname: 'Novak' });
    await match(lena, { dialogId, crmContactId: other, matchStatus: 'CONFIRMED' }).expect(200);
    const rejected = () => service.db('rejected_matches').where({ dialog_id: dialogId }).pluck('crm_contact_id');
    expect(await rejected()).to.deep.equal([irina]);
    await match(lena, { dialogId, crmContactId: irina, matchStatus: 'CONFIRMED' }).expect(200);
    expect(await rejected()).to.deep.equal([other]);
  });

  it('rejects a contact that the connected CRM does not have', async () => {
    const before = await entryOf('Irina Sokolova');
    for (const crmContactId of ['999999999', 'no-such-thing', '../../etc', "'; drop table dialogs; --"]) {
      const asked = { dialogId: idOf('Irina Sokolova'), crmContactId, matchStatus: 'CONFIRMED' };
      const { body } = await match(lena, asked).expect(404);
      expect(body.error).to.equal('There is no such contact in the CRM.');
    }
    expect(await entryOf('Irina Sokolova')).to.deep.equal(before);
  });
});
