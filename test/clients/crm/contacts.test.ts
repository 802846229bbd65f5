import { expect } from 'chai';
import type { SearchFilter } from '../../../src/clients/crm/types.ts';
import { sharedAccount } from './account.ts';

describe('The contacts of the CRM', () => {
  const account = sharedAccount();
  before(() => account.crm.ensureProperties());

  it('reads what can be seen of a name', async () => {
    const hidden = '\u202e\u2060\u{e0041}';
    const names = {
      firstname: `می\u200cنا${hidden}`,
      lastname: `${hidden}शक्\u200dति`,
      company: `Ac${hidden}me 👩🏽\u200d💻`,
    };
    const id = account.sandbox.createContact(names);
    const read = { firstName: 'می\u200cنا', lastName: 'शक्\u200dति', company: 'Acme 👩🏽\u200d💻' };
    expect((await account.crm.readContacts([id])).get(id)).to.include(read);
  });

  it('searches with one value, many values and the beginning of a word, as alternatives', async () => {
    for (const [firstName, phone] of [
      ['Annika', '+493012345'],
      ['Annabel', '+493067890'],
      ['Boris', '+493099999'],
    ] as const)
      await account.crm.createContact({ firstName, lastName: 'Searchable', phone });
    const namesOf = async (...groups: SearchFilter[][]) => {
      const { contacts, more } = await account.crm.searchContacts({ groups });
      expect(more).to.equal(false);
      return contacts.map(({ firstName }) => firstName).sort();
    };
    const last: SearchFilter = { field: 'lastName', any: ['searchable'] };
    expect(await namesOf([{ field: 'firstName', token: 'anna*' }, last])).to.deep.equal(['Annabel']);
    expect(await namesOf([{ field: 'firstName', any: ['annika', 'boris'] }, last])).to.deep.equal(['Annika', 'Boris']);
    expect(
      await namesOf([{ field: 'phone', any: ['+493012345'] }], [{ field: 'searchablePhone', any: ['3099999'] }]),
    ).to.deep.equal(['Annika', 'Boris']);
    expect(account.sandbox.requests().every(({ path }) => path.startsWith('/crm/objects/2026-09/'))).to.equal(true);
  });

  it('reads more than one batch, leaving out what is gone', async () => {
    const ids = Array.from({ length: 130 }, (_, n) => account.sandbox.createContact({ firstname: `Batch ${n}` }));
    account.sandbox.archiveContact(ids[3] ?? '');
    const found = await account.crm.readContacts([...ids, ...ids.slice(0, 5), 'no-such-id']);
    expect(found.size).to.equal(129);
    expect(found.get(ids[129] ?? '')?.firstName).to.equal('Batch 129');
    expect(found.has(ids[3] ?? '')).to.equal(false);
    expect(account.sandbox.calls()).to.deep.equal({ 'contacts.batchRead': 2 });
  });

  it('updates many and reports which are gone or rejected while writing the others', async () => {
    await account.crm.createContact({ messengerUserId: '8000' });
    const ids = Array.from({ length: 120 }, (_, n) => account.sandbox.createContact({ firstname: `Update ${n}` }));
    const [gone = '', clashing = ''] = ids;
    account.sandbox.archiveContact(gone);
    const updates = ids.map((id, n) => ({ id, details: { messengerUserId: id === clashing ? '8000' : `u${n}` } }));
    const outcome = await account.crm.updateContacts(updates);
    expect(outcome).to.deep.equal({ gone: [gone], refused: [clashing] });
    const written = account.sandbox.contacts().filter(({ properties }) => /^u\d+$/.test(properties.messenger_user_id ?? ''));
    expect(written.length).to.equal(118);
  });
});
