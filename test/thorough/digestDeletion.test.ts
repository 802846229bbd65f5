import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { lockNamed } from '../../src/lib/db.ts';
import { type AiSandbox, startAiSandbox } from '../support/ai/server.ts';
import { ANNA, type NoteWorld, settled, startNotes } from '../support/noteWorld.ts';
import { post } from '../support/pages.ts';
import { connectCrm, finished, syncNow } from '../support/people.ts';
import { stopLater, stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';

const MODEL = 'model-of-the-operator';
const OLD = /18,400|signed contract/;

describe('A digest that is deleted', () => {
  let world: NoteWorld;
  let ai: AiSandbox | undefined;

  const start = async (options: Parameters<typeof startNotes>[0] = {}) => {
    world = await startNotes(options);
    await world.link(world.anna, '101');
    await settled(world);
  };
  afterEach(async () => {
    await stopServices();
    ai = undefined;
  });

  const digests = () => world.service.db('digests').where({ dialog_id: world.anna });
  const idOf = async () => String((await digests().first()).id);
  const remove = async () => world.nora.delete(`/api/digests/${await idOf()}`).expect(200);
  const notes = () => world.service.db('outbox_notes').where({ dialog_id: world.anna });
  const hurry = async () => {
    const { service, userId } = world;
    await service.db('outbox_notes').update({ claimed_until: null, claim: null });
    await service.worker().queue.send('notes', { userId }, { singletonKey: userId });
  };

  it('while the CRM is down is gone at once, and its note later', async () => {
    await start();
    const { service, nora } = world;
    await syncNow(nora);
    service.crm.faults.always({ status: 503 });
    const id = await idOf();
    await remove();
    expect(await digests()).to.deep.equal([]);
    await until(async () => (await notes().first())?.failure !== null);
    expect(service.crm.notes('101')).to.have.length(1);
    expect(await notes()).to.have.length(1);
    expect((await nora.get('/today')).text).not.to.include(`d-${id}`);
    service.crm.faults.clear();
    await hurry();
    await settled(world);
    expect(service.crm.notes('101')).to.deep.equal([]);
    expect(await notes()).to.deep.equal([]);
  });

  it('while the CRM is disconnected is gone at once, and its note once it is connected again', async () => {
    await start();
    const { service, nora } = world;
    await syncNow(nora);
    await post(nora, '/settings/crm/disconnect').expect(303);
    await remove();
    await sleep(500);
    expect(service.crm.notes('101')).to.have.length(1);
    await connectCrm(service, nora);
    await until(() => service.crm.notes('101').length === 0);
    await settled(world);
    expect(await notes()).to.deep.equal([]);
  });

  it('has its note found and removed, although the worker died before it knew that it was written', async () => {
    await start();
    const { service, nora } = world;
    await syncNow(nora);
    await notes().update({ state: 'waiting', crm_id: null, is_unclear: true, written_at: null });
    await remove();
    await settled(world);
    expect(service.crm.notes('101')).to.deep.equal([]);
    expect(await notes()).to.deep.equal([]);
  });

  it('while its note is being written, leaves no note', async () => {
    await start();
    const { service, nora } = world;
    service.crm.faults.delay(1500, 'notes.batchCreate');
    const { jobId } = (await nora.post('/api/sync/trigger').expect(200)).body;
    await until(async () => (await notes().first())?.is_unclear === true);
    await remove();
    await finished(nora, jobId);
    service.crm.faults.clear();
    await hurry();
    await settled(world);
    expect(service.crm.notes('101')).to.deep.equal([]);
    expect(await notes()).to.deep.equal([]);
  });

  it('while a sync adds to it, isn’t written again: the next digest has only what came later', async () => {
    await start();
    const { service, nora } = world;
    await syncNow(nora);
    world.write(ANNA, 'Could you send me the Zürich figures by Monday?');
    service.sandbox.faults.delay(1500, 'messages.GetHistory');
    const { jobId } = (await nora.post('/api/sync/trigger').expect(200)).body;
    await until(async () => (await digests().first()).is_started === true);
    await remove();
    const { state, result } = await finished(nora, jobId);
    expect(state).to.equal('completed');
    expect(result).to.deep.include({ digestsCreated: 0, errors: [] });
    expect(await digests()).to.deep.equal([]);
    service.sandbox.faults.clear();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
    const [written] = await digests();
    expect(written).to.include({ message_count: 1 });
    expect(written?.summary).to.include('Zürich').and.not.match(OLD);
    expect(service.crm.notes('101').map(({ body }) => OLD.test(body))).to.deep.equal([false]);
  });

  it('is not planned again by a sync that read of it before', async () => {
    await start();
    const { service, nora, userId, anna } = world;
    await syncNow(nora);
    world.write(ANNA, 'Could you send me the Zürich figures by Monday?');
    const deletion = await service.db.transaction();
    await lockNamed(deletion, 'digests', userId);
    await deletion('digests').where({ user_id: userId, dialog_id: anna }).delete();
    const { jobId } = (await nora.post('/api/sync/trigger').expect(200)).body;
    await sleep(2000);
    await deletion.commit();
    expect((await finished(nora, jobId)).result).to.include({ digestsCreated: 1 });
    expect((await digests().first()).summary).not.to.match(OLD);
  });

  it('while it is rewritten, stays deleted, and the rewrite ends', async () => {
    ai = stopLater(await startAiSandbox({}));
    await start({ env: { AI_API_KEY: 'key', AI_MODEL: MODEL, AI_API_URL: ai.url } });
    const { service, nora } = world;
    await syncNow(nora);
    ai.faults.delay(1500);
    const asked = ai.requests().length;
    await post(nora, `/digests/${await idOf()}/regenerate`, { style: 'DETAILED' }).expect(303);
    await until(() => (ai?.requests().length ?? 0) > asked);
    await remove();
    const jobs = () => service.db('pgboss.job').where({ name: 'regenerate' });
    await until(async () => (await jobs().whereIn('state', ['created', 'active', 'retry'])).length === 0);
    expect((await jobs()).map(({ state }) => state)).to.deep.equal(['completed']);
    expect(await digests()).to.deep.equal([]);
    expect(await service.db('promises').where({ dialog_id: world.anna }).whereNot({ words: '' })).to.deep.equal([]);
    await settled(world);
    expect(service.crm.notes('101')).to.deep.equal([]);
  });
});
