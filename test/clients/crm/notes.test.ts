import { expect } from 'chai';
import type { NewNote } from '../../../src/clients/crm/types.ts';
import { type Account, openAccount } from './account.ts';

describe('The notes in the CRM', () => {
  let account: Account;
  let contactId: string;

  before(async () => {
    account = await openAccount();
  });
  beforeEach(() => {
    account.sandbox.faults.clear();
    account.sandbox.resetCalls();
    contactId = account.sandbox.createContact({ firstname: 'Nadia' });
  });
  after(() => account.stop());

  const note = (marker: string, to = contactId): NewNote => ({
    marker,
    contactId: to,
    at: new Date('2026-11-19T18:30:00Z'),
    bodyHtml: `<p>About ${marker}</p>`,
  });

  it('splits a batch that is rejected as a whole', async () => {
    account.sandbox.faults.next({ on: 'notes.batchCreate', status: 400 });
    const { created, refused } = await account.crm.createNotes([note('half-1'), note('half-2'), note('half-3')]);
    expect(created.size).to.equal(3);
    expect(refused.size).to.equal(0);
    expect(account.sandbox.notes(contactId).length).to.equal(3);
  });

  it('finds a note among more than one page of others', async () => {
    for (let batch = 0; batch < 6; batch++) {
      await account.crm.createNotes(Array.from({ length: 100 }, (_, n) => note(`page-${batch}-${n}-end`)));
    }
    const found = await account.crm.findNotes([{ contactId, marker: 'page-0-7-end' }]);
    expect(found.size).to.equal(1);
  });
});
