import { expect } from 'chai';
import { htmxPost, wordsOf } from '../../../support/pages.ts';
import { stopServices } from '../../../support/service.ts';
import { startTasks, type TaskWorld } from '../../../support/taskWorld.ts';

const SAID = 'I will send the signed contract tomorrow.';

describe('People’s own words in CRM tasks', () => {
  let world: TaskWorld;

  before(async () => {
    world = await startTasks();
  });
  beforeEach(async () => {
    const { service, userId } = world;
    await world.forgetTasks();
    await service
      .db('promises')
      .where({ user_id: userId, words: SAID })
      .update({ state: 'open', due_date: '2026-11-27', previous: null, edited: [], request: null });
    await service.db('crm_connections').update({ tasks_write: true, tasks_quote: false });
  });
  after(stopServices);

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
    const settings = async () => wordsOf((await nora.get('/settings').expect(200)).text);
    expect(await settings()).to.include('Use people’s own words in CRM tasks Colleagues can read tasks.');
    const { text } = await allowQuotes(true);
    expect(text).to.include('name="tasksQuote" value="false"');
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
    const { service, toAnna, deliver } = world;
    const { said_by } = await service.db('promises').where({ id: toAnna }).first('said_by');
    expect(said_by).to.include({ fromUser: true });
    await service.db('promises').where({ id: toAnna }).update({ said_by: null, words: 'Send the signed contract' });
    await deliver();
    expect(subjectOf('101')).to.equal('Send the signed contract');
    await service.db('promises').where({ id: toAnna }).update({ said_by, words: SAID });
  });
});
