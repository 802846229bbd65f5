import { expect } from 'chai';
import type { Call } from '../../../src/clients/crm/hubspot/calls.ts';
import { createNoteCalls } from '../../../src/clients/crm/hubspot/engagements.ts';
import { createRequirements } from '../../../src/clients/crm/hubspot/requirements.ts';
import type { CrmAccess, NewNote, NewTask } from '../../../src/clients/crm/types.ts';
import { sharedAccount } from './account.ts';

describe('The notes and tasks in the CRM', () => {
  const account = sharedAccount({ owners: ['77'] });
  let contactId: string;

  beforeEach(() => {
    contactId = account.sandbox.createContact({ firstname: 'Nadia', hubspot_owner_id: '77' });
  });

  const note = (marker: string, to = contactId): NewNote => ({
    ...{ marker, contactId: to, at: new Date('2026-11-19T18:30:00Z'), bodyHtml: `<p>About ${marker}</p>` },
  });

  const task = (marker: string, more: Partial<NewTask> = {}): NewTask => ({
    ...{ marker, contactId, subject: `About ${marker}`, dueAt: new Date('2026-11-27T09:00:00Z') },
    ...{ bodyHtml: `<p>Marked ${marker}</p>`, isUrgent: false, ownerId: '' },
    ...more,
  });

  it('are split where a batch is rejected as a whole', async () => {
    account.sandbox.faults.next({ on: 'notes.batchCreate', status: 400 });
    const { created, refused } = await account.crm.createNotes([note('half-1'), note('half-2'), note('half-3')]);
    expect(created.size).to.equal(3);
    expect(refused.size).to.equal(0);
    expect(account.sandbox.notes(contactId).length).to.equal(3);
  });

  it('are found among more than one page of others', async () => {
    for (let batch = 0; batch < 6; batch++) {
      await account.crm.createNotes(Array.from({ length: 100 }, (_, n) => note(`page-${batch}-${n}-end`)));
    }
    const found = await account.crm.findRecords('notes', [{ contactId, marker: 'page-0-7-end' }]);
    expect(found.size).to.equal(1);
  });

  it('are created without their owner where the CRM does not accept that person', async () => {
    const { created, refused } = await account.crm.createTasks([task('kept'), task('unowned', { ownerId: '5' })]);
    expect([...created.keys()]).to.have.members(['kept', 'unowned']);
    expect(refused.size).to.equal(0);
    const owners = account.sandbox.tasks(contactId).map(({ properties }) => properties.hubspot_owner_id);
    expect(owners).to.deep.equal([undefined, undefined]);
  });

  it('are what an error without names is about when they don’t come back and no other error names them', async () => {
    const named = { category: 'VALIDATION_ERROR', context: { ids: ['2'] } };
    const reply = { results: [{ id: '1' }], errors: [{ category: 'OBJECT_NOT_FOUND', context: {} }, named] };
    const call = (async () => reply) as unknown as Call;
    const notes = createNoteCalls(call, createRequirements({} as CrmAccess, call));
    const { gone, refused } = await notes.updateNotes(['1', '2', '3'].map(id => ({ ...note('changed'), id })));
    expect({ gone, refused: [...refused] }).to.deep.equal({ gone: ['3'], refused: [['2', 'CRM_REFUSED']] });
  });

  it('have the owners of contacts, merged ones under their old id, and none where it may not', async () => {
    const other = account.sandbox.createContact({ firstname: 'Ben' });
    const merged = account.sandbox.mergeContacts(contactId, other);
    expect([...(await account.crm.readOwners([contactId, other]))]).to.have.deep.members([
      [contactId, '77'],
      [other, '77'],
      [merged, '77'],
    ]);
    account.sandbox.faults.next({ on: 'contacts.batchRead', status: 403 });
    expect((await account.crm.readOwners([contactId])).size).to.equal(0);
  });
});
