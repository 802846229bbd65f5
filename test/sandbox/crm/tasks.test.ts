import { expect } from 'chai';
import request from 'supertest';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Api, closeAll, onContact, openApi, openCrm } from './support.ts';

const DUE = '2026-11-27T09:00:00.000Z';
const taskOn = (contactId: string, properties: object = {}, more: object = {}) => ({
  properties: { hs_timestamp: DUE, hs_task_subject: 'Send the offer', ...properties },
  associations: onContact(contactId, 204),
  ...more,
});

describe("The CRM sandbox's tasks", () => {
  let crm: CrmSandbox;
  let api: Api;

  beforeEach(async () => {
    crm = await openCrm({ contacts: [{ id: '1', firstname: 'Ann' }], owners: ['77'] });
    api = await openApi(crm);
  });
  afterEach(closeAll);

  it('are open and to be done where nothing else is said, and at most a hundred in one call', async () => {
    const inputs = Array.from({ length: 100 }, () => taskOn('1'));
    expect((await api('POST', '/tasks/batch/create', { inputs })).status).to.equal(201);
    expect((await api('POST', '/tasks/batch/create', { inputs: [...inputs, taskOn('1')] })).status).to.equal(400);
    expect(crm.tasks('1')).to.have.length(100);
    expect(crm.tasks('1')[0]?.properties).to.deep.equal({
      ...{ hs_timestamp: DUE, hs_task_subject: 'Send the offer', hs_task_status: 'NOT_STARTED' },
      ...{ hs_task_priority: 'NONE', hs_task_type: 'TODO' },
    });
  });

  it('need a due moment, in milliseconds or with its offset, also when they are changed', async () => {
    const statusOf = async (time: unknown) => (await api('POST', '/tasks', taskOn('1', { hs_timestamp: time }))).status;
    expect(await statusOf('1795770000000')).to.equal(201);
    expect(await statusOf('2026-11-27T09:00:00+01:00')).to.equal(201);
    for (const wrong of ['', '2026-11-27', 'Fri 27 November 2026', 'tomorrow'])
      expect(await statusOf(wrong)).to.equal(400);
    const [task] = crm.tasks('1');
    const emptied = { properties: { hs_timestamp: '' } };
    expect((await api('PATCH', `/tasks/${task?.id}`, emptied)).status).to.equal(400);
  });

  it('take the known statuses, priorities and types alone, and are on contacts by their own kind of link', async () => {
    const wrong = {
      hs_task_status: 'DONE',
      hs_task_priority: 'URGENT',
      hs_task_type: 'PROMISE',
      hubspot_owner_id: '5',
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect((await api('POST', '/tasks', taskOn('1', { [name]: value }))).status, name).to.equal(400);
    }
    const asNote = { associations: onContact('1', 202) };
    expect((await api('POST', '/tasks', taskOn('1', {}, asNote))).status).to.equal(400);
    expect((await api('POST', '/tasks', taskOn('1', { hubspot_owner_id: '77' }))).status).to.equal(201);
  });

  it('remember when they were completed, until they are opened again', async () => {
    const { body } = await api('POST', '/tasks', taskOn('1'));
    const change = async (status: string) =>
      (await api('PATCH', `/tasks/${body.id}`, { properties: { hs_task_status: status } })).body.properties;
    const first = (await change('COMPLETED')).hs_task_completion_date;
    expect(Date.parse(first)).to.be.closeTo(Date.now(), 60_000);
    expect((await change('COMPLETED')).hs_task_completion_date).to.equal(first);
    expect(await change('NOT_STARTED')).not.to.have.property('hs_task_completion_date');
  });

  it('are completed, opened again and deleted on their page, which their contact lists', async () => {
    const body = '<p>See <a href="https://forenoon.example/x#p-1">the promise</a></p><script>x()</script>';
    const { body: task } = await api(
      'POST',
      '/tasks',
      taskOn('1', { hs_task_body: body, hs_task_subject: '<b>Offer' }),
    );
    const browser = request(crm.url);
    const page = `/contacts/8412077/record/0-27/${task.id}`;
    expect((await browser.get('/contacts/8412077/record/0-1/1')).text)
      .to.include(`<a href="${page}" dir="auto">&lt;b&gt;Offer</a>`)
      .and.include('Not started');
    const { text } = await browser.get(page).expect(200);
    expect(text).to.include('the promise</a>').and.include('Mark as completed').and.not.include('<script>');
    await browser.post(`${page}/complete`).expect(303).expect('location', page);
    expect(crm.tasks('1')[0]?.isCompleted).to.equal(true);
    await browser.post(`${page}/reopen`).expect(303);
    expect(crm.tasks('1')[0]?.isCompleted).to.equal(false);
    await browser.post(`${page}/delete`).expect(303).expect('location', '/contacts/8412077/record/0-1/1');
    expect(crm.tasks()).to.deep.equal([]);
    await browser.post(`${page}/complete`).expect(404);
    await browser.get('/contacts/1/record/0-27/1').expect(404);
  });
});
