import { expect } from 'chai';
import { recordStored } from '../../../../bench/support/recordStored.ts';
import { planNotes } from '../../../../src/features/outbox/notes/service.ts';
import { planTasks } from '../../../../src/features/outbox/tasks/service.ts';
import { settled } from '../../../support/noteWorld.ts';
import { htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { connectCrm, signIn, syncNow } from '../../../support/people.ts';
import { stopServices } from '../../../support/service.ts';
import { startTasks, type TaskWorld } from '../../../support/taskWorld.ts';
import { until } from '../../../support/until.ts';
import { UNDECIDED } from '../../pages/today/stored.ts';

describe('Promises as tasks in HubSpot', () => {
  let world: TaskWorld;

  before(async () => {
    world = await startTasks();
  });
  beforeEach(async () => {
    const { service, userId } = world;
    await world.forgetTasks();
    await service
      .db('promises')
      .where({ user_id: userId })
      .update({
        ...UNDECIDED,
        ...{ state: 'open', edited: [], request: null, evidence: null },
        ...{ direction: 'mine', due_date: '2026-11-27', due_time: null },
      });
    await service.db('sync_configs').update({ timezone: 'Europe/Berlin' });
    await service.db('crm_connections').update({ tasks_write: true, tasks_quote: false });
  });
  after(stopServices);

  const tasksOf = (contactId: string) => world.service.crm.tasks(contactId);
  const setPromise = (id: string, columns: object) => world.service.db('promises').where({ id }).update(columns);

  describe('in people’s own words', () => {
    const SAID = 'I will send the signed contract tomorrow.';
    beforeEach(() => setPromise(world.toAnna, { words: SAID }));
    const subjectOf = (contactId: string) => world.service.crm.tasks(contactId)[0]?.properties.hs_task_subject;
    const allowQuotes = (on: boolean) => htmxPost(world.nora, '/settings/crm', { tasksQuote: String(on) }).expect(200);

    it('stay here until the user chose otherwise: the subject only names the conversation', async () => {
      await world.deliver();
      expect(subjectOf('101')).to.equal('Follow up: Anna Weber');
      expect(subjectOf('103')).to.equal('Follow up: <b>Boris</b> & "Lang"');
      expect(JSON.stringify(world.service.crm.tasks())).not.to.include('signed contract');
    });

    it('are the subject once the user chose so, under an explanation, and never of tasks that exist', async () => {
      const { nora, toAnna, decide, deliver } = world;
      await deliver();
      const settings = wordsOf((await nora.get('/settings').expect(200)).text);
      expect(settings).to.include('Use people’s own words in CRM tasks Colleagues can read tasks.');
      expect((await allowQuotes(true)).text).to.include('name="tasksQuote" value="false"');
      await decide(toAnna, { action: 'move', dueDate: '2099-03-01' });
      await deliver();
      expect(subjectOf('101')).to.equal('Follow up: Anna Weber');
      await world.forgetTasks();
      await deliver();
      expect(subjectOf('101')).to.equal(SAID);
      await allowQuotes(false);
      await decide(toAnna, { action: 'move', dueDate: '2099-04-01' });
      await deliver({ reads: true });
      expect(subjectOf('101')).to.equal(SAID);
    });

    it('are not what a model wrote, which is the subject as ever', async () => {
      const { toAnna, deliver } = world;
      await setPromise(toAnna, { said_by: null, words: 'Send the signed contract' });
      await deliver();
      expect(subjectOf('101')).to.equal('Send the signed contract');
    });
  });

  it('are created on the matched contact, with its name, the day, and a link back', async () => {
    const { service, toAnna, anna, deliver } = world;
    service.crm.updateContact('101', { hubspot_owner_id: '77' });
    await setPromise(toAnna, { due_time: '15:30' });
    await deliver();
    const [task, ...others] = tasksOf('101');
    expect(others).to.deep.equal([]);
    const { hs_task_body: body = '', ...properties } = task?.properties ?? {};
    expect(properties).to.deep.equal({
      ...{ hs_task_subject: 'Follow up: Anna Weber', hs_timestamp: '2026-11-27T14:30:00.000Z' },
      ...{ hs_task_status: 'NOT_STARTED', hs_task_type: 'TODO', hs_task_priority: 'MEDIUM', hubspot_owner_id: '77' },
    });
    expect(body).to.include(`href="http://127.0.0.1:3000/conversations/${anna}#p-${toAnna}"`);
    expect(body).to.include('Promised to Anna Weber on Telegram');
    // Without an hour it is due in the morning, in the user's time zone.
    expect(tasksOf('103')[0]?.dueAt.toISOString()).to.equal('2026-11-27T08:00:00.000Z');
    expect(tasksOf('103')[0]?.body).to.include('&lt;b&gt;Boris&lt;/b&gt;');
    expect(service.crm.calls()).to.include({ 'contacts.batchRead': 1 });
    expect(world.taskCalls()).to.deep.equal({ 'tasks.batchCreate': 1 });
  });

  it('are not created for what others promised, what no one was named for, and what has no day', async () => {
    const { toAnna, toBoris, deliver } = world;
    for (const columns of [{ direction: 'theirs' }, { direction: 'unassigned' }, { direction: 'mine', due_date: null }]) {
      await setPromise(toAnna, columns);
      await setPromise(toBoris, columns);
      await deliver();
      expect(world.service.crm.tasks(), JSON.stringify(columns)).to.deep.equal([]);
    }
  });

  it('are not created until they are turned on, after an explanation, and stay when they are turned off', async () => {
    const { service, nora, toAnna, switchTasks, deliver, decide } = world;
    await service.db('crm_connections').update({ tasks_write: false });
    await deliver({ reads: true });
    expect(world.taskCalls()).to.deep.equal({});
    const before = wordsOf((await nora.get('/settings').expect(200)).text);
    expect(before).to.include('HubSpot tasks').and.include('become tasks on the matched contacts right away');
    await switchTasks(true);
    await service.db('pgboss.job').where({ name: 'tasks' }).update({ start_after: service.db.fn.now() });
    await until(async () => service.crm.tasks().length === 2);
    expect(wordsOf((await nora.get('/settings').expect(200)).text)).to.include('Turned off, existing tasks stay');
    await until(async () => (await service.db('pgboss.job').where({ name: 'tasks', state: 'active' })).length === 0);
    await switchTasks(false);
    await decide(toAnna, { action: 'done' });
    await deliver({ reads: true });
    expect(service.crm.tasks().map(({ isCompleted }) => isCompleted)).to.deep.equal([false, false]);
    expect(await service.db('pgboss.job').where({ name: 'tasks', state: 'created' })).to.deep.equal([]);
  });

  it('are completed by a tick here, soon and without a sync, and opened again by its undo', async () => {
    const { service, nora, toAnna, deliver } = world;
    await deliver();
    service.crm.resetCalls();
    await post(nora, `/promises/${toAnna}`, { action: 'done' }).expect(303);
    await until(() => tasksOf('101')[0]?.isCompleted === true);
    expect(world.taskCalls()).to.deep.equal({ 'tasks.batchUpdate': 1 });
    await world.decide(toAnna, { action: 'undo' });
    await deliver();
    expect(tasksOf('101').map(({ isCompleted }) => isCompleted)).to.deep.equal([false]);
  });

  it('completed there tick the promise at the next sync, with that as the evidence, and an undo is not repeated', async () => {
    const { service, nora, toAnna, decide, deliver, stateOf } = world;
    await deliver();
    service.crm.updateTask(tasksOf('101')[0]?.id ?? '', { hs_task_status: 'COMPLETED' });
    await syncNow(nora);
    const promise = await service.db('promises').where({ id: toAnna }).first();
    expect(promise).to.include({ state: 'done', changed_by: 'automatic' });
    expect(promise.evidence).to.include({ who: 'HubSpot', words: 'Task completed' });
    expect(wordsOf((await nora.get('/promises?view=closed').expect(200)).text)).to.include('HubSpot');
    await decide(toAnna, { action: 'undo' });
    // Read before the CRM heard of it: the same completion.
    await service.db('pgboss.job').where({ name: 'tasks' }).delete();
    await deliver({ reads: true });
    expect(await stateOf(toAnna)).to.equal('open');
    expect(tasksOf('101')[0]?.isCompleted).to.equal(false);
    await deliver({ reads: true });
    expect(await stateOf(toAnna)).to.equal('open');
    service.crm.updateTask(tasksOf('101')[0]?.id ?? '', { hs_task_status: 'COMPLETED' });
    await deliver({ reads: true });
    expect(await stateOf(toAnna)).to.equal('done');
  });

  it('completed there tick what the person put off or moved, and opened again there it is open here', async () => {
    const { service, toAnna, decide, deliver, stateOf } = world;
    await decide(toAnna, { action: 'snooze', until: '2099-01-04' });
    await deliver();
    const id = tasksOf('101')[0]?.id ?? '';
    service.crm.updateTask(id, { hs_task_status: 'COMPLETED' });
    await deliver({ reads: true });
    expect(await stateOf(toAnna)).to.equal('done');
    const promise = service.db('promises').where({ id: toAnna });
    await promise
      .clone()
      .update({ evidence: { who: 'Anna', when: '2026-11-01T10:00:00Z', words: 'Got it.', messageIds: ['7'] } });
    service.crm.updateTask(id, { hs_task_status: 'NOT_STARTED' });
    await deliver({ reads: true });
    expect(await promise.first()).to.deep.include({ state: 'open', undone_message_ids: ['7'] });
    await decide(toAnna, { action: 'undo' });
    expect(await stateOf(toAnna)).to.equal('done');
    await deliver({ reads: true });
    expect(tasksOf('101').map(task => task.isCompleted)).to.deep.equal([true]);
  });

  it('follow a promise that is moved or put off, and keep their words and what people changed there', async () => {
    const { service, toAnna, decide, deliver } = world;
    await deliver();
    const task = () => tasksOf('101')[0];
    const id = task()?.id ?? '';
    const hs_task_subject = task()?.properties.hs_task_subject;
    await decide(toAnna, { action: 'move', dueDate: '2099-03-01' });
    await deliver();
    expect(task()?.dueAt.toISOString()).to.equal('2099-03-01T08:00:00.000Z');
    await decide(toAnna, { action: 'snooze', until: '2099-07-01' });
    await deliver();
    expect(task()?.dueAt.toISOString()).to.equal('2099-07-01T07:00:00.000Z');
    service.crm.updateTask(id, { hs_timestamp: '2099-08-01T10:00:00Z', hs_task_status: 'IN_PROGRESS' });
    await setPromise(toAnna, { words: 'Send the other contract' });
    await deliver({ reads: true });
    expect(task()?.properties).to.include({
      ...{ hs_task_subject, hs_task_status: 'IN_PROGRESS', hs_timestamp: '2099-08-01T10:00:00.000Z' },
    });
    await decide(toAnna, { action: 'snooze', until: '2099-09-01' });
    await deliver();
    expect(task()?.properties).to.include({ hs_task_subject, hs_timestamp: '2099-09-01T07:00:00.000Z' });
    expect(task()?.id).to.equal(id);
  });

  it('are left alone when the decision is taken back before the CRM heard of it', async () => {
    const { service, toAnna, decide, deliver } = world;
    await deliver();
    service.crm.resetCalls();
    await decide(toAnna, { action: 'dismiss' });
    await decide(toAnna, { action: 'undo' });
    await deliver();
    expect(world.taskCalls()).to.deep.equal({});
  });

  it('are archived when the conversation is unmatched, and move when it is matched with another contact', async () => {
    const { service, nora, anna, toAnna, link, deliver } = world;
    await deliver();
    await link(anna, '102');
    await deliver();
    expect([tasksOf('101').length, tasksOf('102').length]).to.deep.equal([0, 1]);
    await nora.patch('/api/crm/contacts/search').send({ dialogId: anna, action: 'ignore' }).expect(200);
    await deliver();
    expect(tasksOf('102')).to.deep.equal([]);
    expect(await world.stateOf(toAnna)).to.equal('open');
    await link(anna, '101');
    await deliver();
    expect(tasksOf('101')).to.have.length(1);
    expect(service.crm.tasks()).to.have.length(2);
  });

  it('deleted there are not created again, whatever becomes of the promise', async () => {
    const { service, toAnna, decide, deliver } = world;
    await deliver();
    service.crm.archiveTask(tasksOf('101')[0]?.id ?? '');
    await deliver({ reads: true });
    expect(await world.rowOf(toAnna)).to.include({ state: 'gone', crm_id: null });
    await decide(toAnna, { action: 'move', dueDate: '2099-03-01' });
    await deliver({ reads: true });
    await decide(toAnna, { action: 'cancel' });
    await deliver();
    await decide(toAnna, { action: 'undo' });
    await deliver({ reads: true });
    expect(tasksOf('101')).to.deep.equal([]);
  });

  it('keep a promise open that its digest no longer says', async () => {
    const { service, userId, toAnna, toBoris, deliver } = world;
    await deliver();
    await service.db('outbox_tasks').where({ promise_id: toBoris }).delete();
    const said = await service.db('digests').orderBy('id').select('id', 'structured');
    await service.db('digests').update({ structured: { ...said[0].structured, actionItems: [] } });
    const digestIds = said.map(({ id }) => id);
    await service.db('promise_read_markers').update({ last_seen_number: 0 });
    await recordStored(service.db, { userId, digestIds, now: service.clock.now() });
    expect([await world.stateOf(toAnna), await world.stateOf(toBoris)]).to.deep.equal(['open', 'withdrawn']);
    for (const { id, structured } of said) await service.db('digests').where({ id }).update({ structured });
  });

  it('of one user are not those of another, in the same account of the CRM', async () => {
    const { service, toAnna, deliver } = world;
    await deliver();
    const mallory = await signIn(service, 'mallory@example.com');
    await connectCrm(service, mallory);
    await post(mallory, '/settings/crm', { tasksWrite: 'true' }).expect(303);
    await syncNow(mallory);
    await mallory.patch(`/api/promises/${toAnna}`).send({ action: 'done' }).expect(404);
    expect(service.crm.tasks().map(({ isCompleted }) => isCompleted)).to.deep.equal([false, false]);
    expect(await service.db('outbox_tasks').distinct('user_id')).to.deep.equal([{ user_id: world.userId }]);
  });

  it('stay, as notes do, in an account that is connected again after another one, and with merged contacts', async () => {
    const { service, nora, userId, boris, deliver } = world;
    await deliver();
    const ids = () => [...service.crm.notes(), ...service.crm.tasks()].map(({ id }) => id);
    const before = ids();
    const links = await service.db('dialogs').select('id', 'match_status', 'crm_contact_id');
    await service.db('dialogs').update({ match_status: 'UNMATCHED', crm_contact_id: '', match_evaluated_at: null });
    await planNotes(service, { userId });
    await planTasks(service, { userId });
    for (const { id, ...link } of links) await service.db('dialogs').where({ id }).update(link);
    await service.db('dialogs').where({ id: boris }).update({ match_decided_by: 'rule', match_status: 'AUTO_USERNAME' });
    for (const id of ['101', '103']) service.crm.mergeContacts(service.crm.createContact({}), id);
    await syncNow(nora);
    await settled(world);
    await deliver();
    expect(ids()).to.deep.equal(before).and.have.length(4);
  });
});
