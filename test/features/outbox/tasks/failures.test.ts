import { expect } from 'chai';
import { toTask } from '../../../../src/features/outbox/tasks/rules.ts';
import { connectCrm, syncNow } from '../../../support/people.ts';
import { stopServices } from '../../../support/service.ts';
import { startTasks, type TaskWorld } from '../../../support/taskWorld.ts';

describe('A task that the CRM does not accept at first', () => {
  let world: TaskWorld;

  before(async () => {
    world = await startTasks();
    await world.service.db('crm_connections').update({ tasks_write: true });
  });
  beforeEach(async () => {
    const { service } = world;
    service.crm.faults.clear();
    await world.forgetTasks();
    await service.db('promises').update({ state: 'open', snoozed_until: null, previous: null, changed_by: null });
    await service.db('dialogs').update({ match_problem: null });
  });
  after(stopServices);

  const count = () => world.service.crm.tasks().length;
  const isDone = () => world.service.crm.tasks('101').map(({ isCompleted }) => isCompleted);

  it('is not created twice when the answer is lost after it was', async () => {
    const { service, deliver, toAnna } = world;
    service.crm.faults.next({ on: 'tasks.batchCreate', losesAnswer: true });
    await deliver();
    expect(count()).to.equal(2);
    expect(await world.rowOf(toAnna)).to.include({ state: 'waiting', is_unclear: true, crm_id: null });
    await deliver();
    await deliver({ reads: true });
    expect(count()).to.equal(2);
    expect(service.crm.calls()['tasks.batchCreate']).to.equal(1);
    expect(await world.rowOf(toAnna)).to.include({ state: 'written', is_unclear: false });
  });

  it('is found and completed when the promise was kept before anyone knew that it exists', async () => {
    const { service, deliver, decide, toAnna } = world;
    service.crm.faults.next({ on: 'tasks.batchCreate', losesAnswer: true });
    await deliver();
    await decide(toAnna, { action: 'done' });
    await deliver();
    expect(isDone()).to.deep.equal([true]);
    expect(count()).to.equal(2);
  });

  it('is not created at all for a promise that is kept before the task is sent', async () => {
    const { service, deliver, decide, toAnna } = world;
    service.crm.faults.next({ on: 'contacts.batchRead', status: 500, times: 3 });
    await deliver();
    await decide(toAnna, { action: 'done' });
    await deliver();
    expect(isDone()).to.deep.equal([]);
    expect(service.crm.tasks('103')).to.have.length(1);
  });

  it('is completed once when the answer is lost, and reopened by an undo meanwhile', async () => {
    const { service, deliver, decide, toAnna, stateOf } = world;
    await deliver();
    await decide(toAnna, { action: 'done' });
    service.crm.faults.next({ on: 'tasks.batchUpdate', losesAnswer: true, times: 3 });
    await deliver();
    expect(isDone()).to.deep.equal([true]);
    await decide(toAnna, { action: 'undo' });
    // What our own call completed is no completion by a person there.
    await deliver({ reads: true });
    expect(await stateOf(toAnna)).to.equal('open');
    expect(isDone()).to.deep.equal([false]);
  });

  it('gets the day to which its promise moved, also when it is read between a call that failed and the next', async () => {
    const { service, deliver, decide, toAnna } = world;
    await deliver();
    await decide(toAnna, { action: 'move', dueDate: '2099-05-01' });
    service.crm.faults.next({ on: 'tasks.batchUpdate', status: 500, times: 10 });
    await deliver();
    expect(await world.rowOf(toAnna)).to.include({ state: 'outdated', is_unclear: true });
    service.crm.faults.clear();
    await deliver({ reads: true });
    expect(service.crm.tasks('101').map(({ dueAt }) => dueAt.toISOString().slice(0, 10))).to.deep.equal(['2099-05-01']);
    await decide(toAnna, { action: 'undo' });
  });

  it('stays completed when someone completed it there after the CRM refused another change', async () => {
    const { service, deliver, decide, toAnna } = world;
    await deliver();
    service.crm.faults.always({ on: 'tasks.batchUpdate', status: 400 });
    await decide(toAnna, { action: 'move', dueDate: '2099-05-01' });
    await deliver();
    expect(await world.rowOf(toAnna)).to.include({ failure: 'CRM_REFUSED' });
    service.crm.faults.clear();
    service.crm.updateTask(service.crm.tasks('101')[0]?.id ?? '', { hs_task_status: 'COMPLETED' });
    await deliver();
    expect(service.crm.tasks('101')[0]?.dueAt.toISOString()).to.match(/^2099-05-01/);
    expect(isDone()).to.deep.equal([true]);
    await decide(toAnna, { action: 'undo' });
  });

  it('gets the words that the person wrote, also after a call that failed, and loses them by an undo', async () => {
    const { service, nora, deliver, decide, toAnna } = world;
    const subject = () => service.crm.tasks('101')[0]?.properties.hs_task_subject;
    await deliver();
    for (const reads of [false, true]) {
      await nora.patch(`/api/promises/${toAnna}/fields`).send({ words: 'Bring it' }).expect(200);
      service.crm.faults.next({ on: 'tasks.batchUpdate', status: 500, times: 10 });
      await deliver();
      service.crm.faults.clear();
      await deliver({ reads });
      expect(subject(), String(reads)).to.equal('Bring it');
      await decide(toAnna, { action: 'undo' });
      await deliver();
      expect(subject(), String(reads)).to.equal('Follow up: Anna Weber');
    }
  });

  it('is archived once when that answer is lost, and created again by an undo meanwhile', async () => {
    const { service, deliver, decide, toAnna } = world;
    await deliver();
    const before = (await world.rowOf(toAnna))?.crm_id;
    for (const action of ['dismiss', 'cancel']) {
      await decide(toAnna, { action });
      service.crm.faults.next({ on: 'tasks.batchArchive', losesAnswer: true, times: 3 });
      await deliver();
      expect(isDone()).to.deep.equal([]);
      await decide(toAnna, { action: 'undo' });
      await deliver();
      await deliver({ reads: true });
      expect(isDone()).to.deep.equal([false]);
      expect(await world.rowOf(toAnna))
        .to.include({ state: 'written' })
        .and.not.include({ crm_id: before });
    }
  });

  it('is given up after three refusals, and tried again once the promise changes', async () => {
    const { service, deliver, decide, toAnna } = world;
    service.crm.faults.always({ on: 'tasks.batchCreate', status: 400 });
    for (let n = 0; n < 3; n++) await deliver();
    expect(await world.rowOf(toAnna)).to.include({ state: 'failed', failure: 'CRM_REFUSED', tries: 3 });
    service.crm.resetCalls();
    await deliver();
    expect(world.taskCalls()).to.deep.equal({});
    service.crm.faults.clear();
    service.clock.advance(1000);
    await decide(toAnna, { action: 'move', dueDate: '2099-03-01' });
    await deliver();
    expect(service.crm.tasks('101')).to.have.length(1);
    expect(service.crm.tasks('103')).to.deep.equal([]);
  });

  it('is not created when its contact is gone, which the match shows, and the others are', async () => {
    const { service, anna, deliver, toAnna, toBoris } = world;
    const contactId = service.crm.createContact({ firstname: 'Gone' });
    await world.link(anna, contactId);
    service.crm.archiveContact(contactId);
    await deliver();
    expect(await world.rowOf(toBoris)).to.include({ state: 'written' });
    expect(await world.rowOf(toAnna)).to.include({ state: 'failed', failure: 'CRM_CONTACT_GONE' });
    expect((await service.db('dialogs').where({ id: anna }).first()).match_problem).to.equal('CONTACT_GONE');
    await world.link(anna, '101');
    await deliver();
    expect(count()).to.equal(2);
  });

  it('waits while the CRM is down, without failing the sync, and until the person signs in again', async () => {
    const { service, nora, deliver } = world;
    service.crm.faults.always({ on: 'tasks', status: 503 });
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result).to.deep.include({ notesCreated: 0, errors: [] });
    service.crm.faults.clear();
    service.crm.faults.revokeGrants();
    await deliver();
    expect(count()).to.equal(0);
    await connectCrm(service, nora);
    await deliver();
    expect(count()).to.equal(2);
  });

  it('waits to be created when those before it can’t be read', async () => {
    const { service, deliver, toBoris } = world;
    await deliver();
    await service.db('outbox_tasks').where({ promise_id: toBoris }).delete();
    service.crm.faults.next({ on: 'tasks.batchRead', status: 500, times: 3 });
    await deliver({ reads: true });
    expect(await world.rowOf(toBoris)).to.include({ state: 'waiting' });
  });

  it('is written with 250 others in three calls of each kind', async () => {
    const { service, userId, toAnna, deliver } = world;
    const stored = await service.db('promises').where({ id: toAnna }).first();
    const { id: _, item_id: _item, search: _search, needs_confirmation: _unsure, ...promise } = stored;
    const more = Array.from({ length: 248 }, (_unused, n) => ({ ...promise, item_id: `more-${n}`, words: `No ${n}` }));
    await service.db.batchInsert('promises', more);
    await deliver({ reads: true });
    expect(count()).to.equal(250);
    await service.db('promises').where({ user_id: userId }).update({ due_date: '2099-05-01' });
    await deliver({ reads: true });
    await service.db('promises').where({ user_id: userId }).whereLike('item_id', 'more-%').update({ state: 'dismissed' });
    await deliver({ reads: true });
    expect(service.crm.calls()['contacts.batchRead']).to.be.at.most(3);
    expect(world.taskCalls()).to.deep.equal({
      ...{ 'tasks.batchCreate': 3, 'tasks.batchUpdate': 3, 'tasks.batchArchive': 3 },
      // Twice: nothing was there at the first of the three.
      'tasks.batchRead': 6,
    });
    expect(count()).to.equal(2);
    await service.db('promises').whereLike('item_id', 'more-%').delete();
  });
});

describe('The text of a task', () => {
  const task = {
    ...{ id: 'row', promiseId: 'p1', dialogId: 'd1', contactId: '1', crmId: null, isUnclear: false },
    ...{ pendingCompleted: null, isCompleted: false, crmCompletedAt: '', writtenDueAt: null },
    ...{ subject: 'Send\u0007 it', dueAt: new Date('2026-11-27T08:00:00Z'), isDone: false, isUrgent: true },
    ...{ isReworded: false, isOwn: false },
    peerName: '<img src=x> #p-p2',
  };

  it('escapes the name, has no other promise’s marker, and keeps control characters out of the title', () => {
    const made = toTask(task, { appUrl: 'https://forenoon.example', ownerId: '' });
    expect(made.marker).to.equal('https://forenoon.example/conversations/d1#p-p1');
    expect(made.bodyHtml).to.include('&lt;img src=x&gt;').and.not.include('#p-p2').and.not.include('<img');
    expect(made.bodyHtml.split(made.marker)).to.have.length(2);
    expect(made).to.include({ subject: 'Send it', isUrgent: true });
  });
});
