import { AssociationTypes, Client } from '@hubspot/api-client';
import { expect } from 'chai';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Account, openAccount } from '../../clients/crm/account.ts';

/** The library checks statuses and shapes itself: an answer of another shape throws here. */
describe("The vendor's own library at the CRM sandbox", () => {
  let account: Account;
  let crm: CrmSandbox;
  let hubspot: Client;

  beforeEach(async () => {
    account = await openAccount({ contacts: [{ id: '1', firstname: 'Ann', email: 'ann@one.example' }, { id: '2' }] });
    crm = account.sandbox;
    hubspot = new Client({ accessToken: account.accessToken, basePath: crm.url });
  });
  afterEach(() => account.stop());

  const literally = <T>(value: string) => value as T;

  function noteInput(contactId: string, body: string) {
    const types = [
      { associationCategory: literally<never>('HUBSPOT_DEFINED'), associationTypeId: AssociationTypes.noteToContact },
    ];
    const properties = { hs_timestamp: '2026-11-20T17:00:00Z', hs_note_body: body };
    return { properties, associations: [{ to: { id: contactId }, types }], objectWriteTraceId: body };
  }

  it('searches, reads, creates, changes, merges and archives contacts', async () => {
    const { basicApi, batchApi, searchApi } = hubspot.crm.contacts;
    const filters = [{ propertyName: 'email', operator: literally<never>('EQ'), value: 'ann@one.example' }];
    const found = await searchApi.doSearch({ filterGroups: [{ filters }], properties: ['email'], sorts: ['-createdate'] });
    expect(found.total).to.equal(1);
    expect(found.results[0]?.createdAt).to.be.instanceOf(Date);
    const created = await basicApi.create({ properties: { email: 'cleo@x.example' } });
    expect((await basicApi.getById('cleo@x.example', ['email'], undefined, undefined, false, 'email')).id).to.equal(
      created.id,
    );
    await basicApi.update('1', { properties: { company: 'Berg' } });
    const read = { inputs: [{ id: '1' }, { id: '9' }], properties: ['company'], propertiesWithHistory: [] };
    const batch = await batchApi.read(read);
    expect(batch).to.have.property('numErrors', 1);
    expect(batch.results[0]?.properties.company).to.equal('Berg');
    const upserted = await batchApi.upsert({
      inputs: [{ id: 'dora@x.example', idProperty: 'email', properties: { firstname: 'Dora' } }],
    });
    expect(upserted.results[0]).to.include({ _new: true });
    const merged = await basicApi.merge({ primaryObjectId: '1', objectIdToMerge: '2' });
    expect((await basicApi.getById('2')).id).to.equal(merged.id);
    await basicApi.archive(merged.id);
    expect(crm.contacts()).to.have.length(2);
  });

  it('creates, lists, reads, changes and archives notes', async () => {
    const { notes } = hubspot.crm.objects;
    const created = await notes.batchApi.create({ inputs: [noteInput('1', 'One'), noteInput('9', 'None')] });
    expect(created).to.have.property('numErrors', 1);
    const [note] = created.results;
    expect(note?.objectWriteTraceId).to.equal('One');
    const listed = await hubspot.crm.associations.v4.batchApi.getPage('contacts', 'notes', {
      inputs: [{ id: '1', after: '' }],
    });
    expect(String(listed.results[0]?.to[0]?.toObjectId)).to.equal(note?.id);
    const inputs = [{ id: note?.id ?? '', properties: { hs_note_body: 'Two' } }];
    await notes.batchApi.update({ inputs });
    const read = { inputs: [{ id: note?.id ?? '' }], properties: ['hs_note_body'], propertiesWithHistory: [] };
    expect((await notes.batchApi.read(read)).results[0]?.properties.hs_note_body).to.equal('Two');
    await notes.batchApi.archive({ inputs: [{ id: note?.id ?? '' }] });
    expect(crm.notes()).to.deep.equal([]);
  });
});
