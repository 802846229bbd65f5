import { expect } from 'chai';
import type { NewNote } from '../../../src/clients/crm/types.ts';
import { type Account, failureOf, openAccount } from './account.ts';

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

  it('writes a batch in one call and returns which note got which id', async () => {
    const wanted = Array.from({ length: 100 }, (_, n) => note(`batch-${n}-end`));
    const { created, refused } = await account.crm.createNotes(wanted);
    expect([...created.keys()].sort()).to.deep.equal(wanted.map(({ marker }) => marker).sort());
    expect(refused.size).to.equal(0);
    expect(account.sandbox.calls()).to.deep.equal({ 'notes.batchCreate': 1 });
    for (const { id, body, at, contactIds } of account.sandbox.notes(contactId)) {
      const marker = body.match(/batch-\d+-end/)?.[0] ?? '';
      expect(created.get(marker)).to.equal(id);
      expect(contactIds).to.deep.equal([contactId]);
      expect(at.toISOString()).to.equal('2026-11-19T18:30:00.000Z');
    }
  });

  it('splits a batch that is rejected as a whole', async () => {
    account.sandbox.faults.next({ on: 'notes.batchCreate', status: 400 });
    const { created, refused } = await account.crm.createNotes([note('half-1'), note('half-2'), note('half-3')]);
    expect(created.size).to.equal(3);
    expect(refused.size).to.equal(0);
    expect(account.sandbox.notes(contactId).length).to.equal(3);
  });

  it('never repeats a write whose answer was lost, and finds the notes by their markers', async () => {
    account.sandbox.faults.next({ on: 'notes.batchCreate', losesAnswer: true });
    const err = await failureOf(account.crm.createNotes([note('lost-a'), note('lost-b')]));
    expect(err).to.include({ kind: 'temporary', code: 'CRM_UNAVAILABLE' });
    expect(account.sandbox.calls()).to.deep.equal({ 'notes.batchCreate': 1 });
    const other = account.sandbox.createContact({ firstname: 'Without notes' });
    const found = await account.crm.findNotes([
      { contactId, marker: 'lost-a' },
      { contactId, marker: 'lost-b' },
      { contactId, marker: 'never-written' },
      { contactId: other, marker: 'elsewhere' },
    ]);
    expect([...found.keys()].sort()).to.deep.equal(['lost-a', 'lost-b']);
    expect(account.sandbox.notes(contactId).map(({ id }) => id)).to.have.members([...found.values()]);
    expect(account.sandbox.calls()['notes.search']).to.equal(undefined);
  });

  it('finds a note among more than one page of others', async () => {
    for (let batch = 0; batch < 6; batch++) {
      await account.crm.createNotes(Array.from({ length: 100 }, (_, n) => note(`page-${batch}-${n}-end`)));
    }
    const found = await account.crm.findNotes([{ contactId, marker: 'page-0-7-end' }]);
    expect(found.size).to.equal(1);
  });
});
