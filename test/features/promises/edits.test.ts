import { expect } from 'chai';
import { recordStored } from '../../../bench/support/recordStored.ts';
import { recordPromises } from '../../../src/features/promises/fromDigests/repo.ts';
import type { Closing } from '../../../src/features/promises/fromDigests/schema.ts';
import { addDays } from '../../../src/lib/timezones.ts';
import type { Agent } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { startTasks } from '../../support/taskWorld.ts';
import { dayAgo, startStored, storeDigest, storedItem } from '../pages/today/stored.ts';

const TODAY = dayAgo(0);
const TOMORROW = addDays(TODAY, 1);
const LATER = addDays(TODAY, 9);
const EVIDENCE = { who: 'Ada', when: `${TODAY}T08:00:00.000Z`, words: 'done', messageIds: ['77'] };

describe('The API of a person’s own words', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let dialogId: string;
  let digestId: string;
  let id: string;
  const item = storedItem('Send the offer', { dueDate: TODAY, dueTime: '15:00', dueText: 'by three' });

  const add = async (body: object, status = 200, agent = nora) =>
    (await agent.post('/api/promises').send(body).expect(status)).body;
  const edit = async (fields: object, { status = 200, agent = nora, of = id } = {}) =>
    (await agent.patch(`/api/promises/${of}/fields`).send(fields).expect(status)).body;
  const decide = async (of: string, change: object) =>
    (await nora.patch(`/api/promises/${of}`).send(change).expect(200)).body.promise;
  const row = (of = id) => service.db('promises').where({ id: of }).first();
  /** The digest as a rewrite leaves it. */
  async function rewrite(actionItems: object[]) {
    const { structured } = await service.db('digests').where({ id: digestId }).first();
    const written = JSON.stringify({ ...structured, actionItems });
    await service.db('digests').where({ id: digestId }).update({ structured: written });
    await recordStored(service.db, { userId: owner.userId, digestIds: [digestId], now: new Date() });
  }
  const close = (of: string, change: object) => {
    const closing = { promiseId: of, dialogId, evidence: EVIDENCE, state: 'done', ...change } as Closing;
    return recordPromises(service.db, { ...owner, now: new Date() }, { closings: [closing] });
  };

  before(async () => {
    ({ service, nora, owner } = await startStored());
  });
  after(stopServices);
  beforeEach(async () => {
    ({ dialogId, digestId } = await storeDigest(service.db, owner, { structured: { actionItems: [item] } }));
    ({ id } = await service.db('promises').where({ dialog_id: dialogId }).first('id'));
  });

  it('reads a line', async () => {
    const { body } = await nora.get('/api/promises/read').query({ text: 'Call Katrin tomorrow 9:00' }).expect(200);
    expect(body).to.deep.equal({ words: 'Call Katrin', dueDate: TOMORROW, dueTime: '09:00' });
    await nora.get('/api/promises/read').query({ text: ' ' }).expect(400);
  });

  it('changes nothing where no field is new, and the undo before stays', async () => {
    await edit({ words: 'Edited' });
    const before = await row();
    for (const fields of [{}, { dueTime: null }, { words: 'Edited' }])
      expect((await edit(fields)).promise.words).to.equal('Edited');
    expect(await row()).to.deep.equal(before);
  });

  it('keeps edited words and an edited day through a rewrite and a later digest', async () => {
    await edit({ words: 'Send both offers', dueDate: LATER });
    await rewrite([{ ...item, text: 'Send an offer', dueDate: TOMORROW }]);
    const kept = { words: 'Send both offers', dueDate: LATER };
    const shown = async () => (await nora.get('/api/promises').query({ dialogId }).expect(200)).body.promises[0];
    expect(await shown()).to.include(kept);
    const again = { actionItems: [{ ...item, text: 'Send it again', dueDate: TOMORROW, owner: 'contact' as const }] };
    await storeDigest(service.db, owner, { dialogId, day: TOMORROW, structured: again });
    expect(await shown()).to.include({ ...kept, direction: 'theirs', lastSaidOn: TOMORROW });
    await rewrite([]);
    expect(await shown()).to.include({ ...kept, state: 'open' });
  });

  it('lets a message close an added one, and no digest withdraw it', async () => {
    const { promise } = await add({ dialogId, words: 'Call Ada', dueDate: TOMORROW });
    await rewrite([]);
    expect(await row(promise.id)).to.include({ state: 'open' });
    await close(promise.id, {});
    expect(await row(promise.id)).to.include({ state: 'done', changed_by: 'automatic' });
    expect(await decide(promise.id, { action: 'undo' })).to.include({ state: 'open' });
  });
});

describe('A task in the CRM', () => {
  after(stopServices);

  it('gets the words and the day that the person edited', async () => {
    const { service, nora, toAnna, anna, deliver, switchTasks } = await startTasks();
    await switchTasks(true);
    await deliver();
    const edited = { words: 'Send Anna both drafts', dueDate: '2027-03-01' };
    await nora.patch(`/api/promises/${toAnna}/fields`).send(edited).expect(200);
    await nora.post('/api/promises').send({ dialogId: anna, words: 'Ring Anna', dueDate: '2027-03-02' }).expect(200);
    await deliver();
    const subjects = service.crm.tasks('101').map(({ properties }) => properties.hs_task_subject);
    expect(subjects).to.have.members(['Send Anna both drafts', 'Ring Anna']);
  });
});
