import { expect } from 'chai';
import type { NewTask } from '../../../src/clients/crm/types.ts';
import { type Account, openAccount } from './account.ts';

describe('The tasks in the CRM', () => {
  let account: Account;
  let contactId: string;

  before(async () => {
    account = await openAccount({ owners: ['77'] });
  });
  beforeEach(() => {
    account.sandbox.faults.clear();
    account.sandbox.resetCalls();
    contactId = account.sandbox.createContact({ firstname: 'Nadia', hubspot_owner_id: '77' });
  });
  after(() => account.stop());

  const task = (marker: string, more: Partial<NewTask> = {}): NewTask => ({
    ...{ marker, contactId, subject: `About ${marker}`, dueAt: new Date('2026-11-27T09:00:00Z') },
    ...{ bodyHtml: `<p>Marked ${marker}</p>`, isUrgent: false, ownerId: '' },
    ...more,
  });
  const create = async (...markers: string[]) => {
    const { created } = await account.crm.createTasks(markers.map(marker => task(marker)));
    return markers.map(marker => created.get(marker) ?? '');
  };

  it('creates a batch in one call, in the words of the vendor, and says which task got which id', async () => {
    const wanted = Array.from({ length: 100 }, (_, n) => task(`batch-${n}-end`, { isUrgent: n === 0, ownerId: '77' }));
    const { created, refused } = await account.crm.createTasks(wanted);
    expect(refused.size).to.equal(0);
    expect(created.size).to.equal(100);
    expect(account.sandbox.calls()).to.deep.equal({ 'tasks.batchCreate': 1 });
    expect(account.sandbox.requests()[0]?.path).to.equal('/crm/objects/2026-09/tasks/batch/create');
    const first = account.sandbox.tasks(contactId).find(({ id }) => id === created.get('batch-0-end'));
    expect(first?.properties).to.deep.equal({
      ...{ hs_timestamp: '2026-11-27T09:00:00.000Z', hs_task_subject: 'About batch-0-end', hs_task_type: 'TODO' },
      ...{ hs_task_status: 'NOT_STARTED', hs_task_priority: 'HIGH', hubspot_owner_id: '77' },
      hs_task_body: '<p>Marked batch-0-end</p>',
    });
  });

  it('creates a task without its owner where the CRM does not accept that person', async () => {
    const { created, refused } = await account.crm.createTasks([task('kept'), task('unowned', { ownerId: '5' })]);
    expect([...created.keys()]).to.have.members(['kept', 'unowned']);
    expect(refused.size).to.equal(0);
    expect(account.sandbox.tasks(contactId).map(({ properties }) => properties.hubspot_owner_id)).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('changes only what it is told to, and says which tasks are gone', async () => {
    const [one = '', two = ''] = await create('one', 'two');
    account.sandbox.updateTask(one, { hs_timestamp: '2026-12-24T09:00:00Z', hs_task_status: 'IN_PROGRESS' });
    account.sandbox.archiveTask(two);
    const dueAt = new Date('2026-11-30T09:00:00Z');
    const { gone, refused } = await account.crm.updateTasks([
      { id: one, subject: 'Other words' },
      { id: two, dueAt },
    ]);
    expect({ gone, refused: [...refused] }).to.deep.equal({ gone: [two], refused: [] });
    expect(account.sandbox.tasks(contactId)[0]?.properties).to.include({
      ...{ hs_task_subject: 'Other words', hs_timestamp: '2026-12-24T09:00:00.000Z', hs_task_status: 'IN_PROGRESS' },
    });
    await account.crm.updateTasks([{ id: one, isCompleted: true }]);
    expect(account.sandbox.tasks(contactId)[0]?.isCompleted).to.equal(true);
  });

  it('reads what is completed, with the moment that names the completion, and leaves out what is gone', async () => {
    const [open = '', done = '', gone = ''] = await create('open', 'done', 'gone');
    account.sandbox.updateTask(done, { hs_task_status: 'COMPLETED' });
    account.sandbox.archiveTask(gone);
    const read = await account.crm.readTasks([open, done, gone]);
    expect([...read.keys()]).to.have.members([open, done]);
    expect(read.get(open)).to.deep.equal({ isCompleted: false, completedAt: '' });
    expect(read.get(done)?.isCompleted).to.equal(true);
    expect(Date.parse(read.get(done)?.completedAt ?? '')).to.be.above(0);
  });

  it('reads owners of contacts, merged ones under their old id, and none where it may not', async () => {
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
