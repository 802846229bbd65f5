import { expect } from 'chai';
import { settled } from '../../support/noteWorld.ts';
import { post } from '../../support/pages.ts';
import { stopServices } from '../../support/service.ts';
import { startTasks, type TaskWorld } from '../../support/taskWorld.ts';
import { until } from '../../support/until.ts';

const SOURCE = { type: 'tasks', name: 'source', label: 'Source' } as const;

describe('A property that the CRM account requires of tasks', () => {
  let world: TaskWorld;

  beforeEach(async () => {
    world = await startTasks();
    await settled(world);
    world.service.crm.requireProperty(SOURCE);
  });
  afterEach(stopServices);

  const failed = async () => (await world.rowOf(world.toAnna))?.state === 'failed';

  it('of some tasks does not keep the others from being written', async () => {
    const { service } = world;
    service.crm.releaseProperty(SOURCE);
    const words = 'Send Anna the price list';
    await service.db('promises').where({ id: world.toAnna }).update({ words, said_by: null });
    await post(world.nora, '/settings/crm', { tasksQuote: 'true' }).expect(303);
    service.crm.requireProperty({ ...SOURCE, when: { property: 'hs_task_subject', value: words } });
    await world.switchTasks(true);
    await until(failed);
    await until(() => service.crm.tasks().length === 1);
    expect(service.crm.tasks()[0]?.contactIds).to.deep.equal(['103']);
    expect(await service.db('crm_requirements').first()).to.include({ name: 'source', is_conditional: true });
  });

  it('is sent with the completion of an open task that lacks it', async () => {
    const { service, toAnna } = world;
    service.crm.releaseProperty(SOURCE);
    await world.switchTasks(true);
    await until(() => service.crm.tasks().length === 2);
    service.crm.requireProperty({ ...SOURCE, when: { property: 'hs_task_status', value: 'COMPLETED' } });
    await world.decide(toAnna, { action: 'done' });
    await until(failed);
    expect(await world.stateOf(toAnna)).to.equal('done');
    await post(world.nora, '/settings/crm/required', { type: 'tasks', name: 'source', value: 'Telegram' }).expect(303);
    await until(() => service.crm.tasks('101')[0]?.isCompleted === true);
    expect(service.crm.tasks('101')[0]?.properties.source).to.equal('Telegram');
    expect(service.crm.tasks('103')[0]?.properties.source).to.equal(undefined);
  });
});
