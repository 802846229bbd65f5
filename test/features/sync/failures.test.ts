import { expect } from 'chai';
import { post } from '../../support/pages.ts';
import { type Agent, connectedNora, finished, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

async function serviceWith(...worlds: ReturnType<typeof world>[]): Promise<{ service: Service; nora: Agent }> {
  const service = await startService({ worlds, env: { RATE_LIMIT_CONNECT: '50' } });
  return { service, nora: await connectedNora(service) };
}

describe('A conversation that crashes workers', () => {
  let service: Service;
  let nora: Agent;
  before(async () => {
    ({ service, nora } = await serviceWith(world({ ...crowd(4) })));
  });
  after(stopServices);

  /** As a worker leaves the rows that was killed while it read this conversation. */
  const crashOver = async (jobId: string, peerName: string) => {
    const { id } = await service.db('dialogs').where({ peer_name: peerName }).first();
    await service.db('digests').where({ dialog_id: id }).update({ is_started: true, status: 'SUMMARIZING', job_id: jobId });
    await service.db('digests').where({ dialog_id: id }).update({ summary: '' });
    await service.db('dialogs').where({ id }).update({ cursor_message_id: null });
    await service.db('sync_jobs').where({ id: jobId }).update({ state: 'active' });
  };
  const goOn = async (jobId: string) => {
    const { user_id: userId } = await service.db('sync_jobs').where({ id: jobId }).first();
    await service.worker().queue.send('sync', { userId, jobId }, { singletonKey: userId });
    return finished(nora, jobId);
  };

  it('is tried again after a crash', async () => {
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    await finished(nora, body.jobId);
    await crashOver(body.jobId, 'Person 5002');
    const { result } = await goOn(body.jobId);
    expect(result).to.deep.include({ dialogsProcessed: 4, digestsCreated: 4, errors: [] });
  });

  it('comes after those that crashed fewer, so that no kill in a row hits the same one', async () => {
    const { id: jobId } = await service.db('sync_jobs').first();
    const crashed = { 'Person 5001': 1, 'Person 5002': 0, 'Person 5003': 1, 'Person 5004': 0 };
    for (const [name, crashes] of Object.entries(crashed)) {
      await crashOver(jobId, name);
      const dialog = service.db('dialogs').where({ peer_name: name }).select('id');
      await service.db('digests').whereIn('dialog_id', dialog).update({ crashes });
    }
    await goOn(jobId);
    const written = await service
      .db('digests')
      .join('dialogs', 'dialogs.id', 'digests.dialog_id')
      .orderBy('digests.updated_at')
      .pluck('dialogs.peer_name');
    expect(written.slice(0, 2)).to.have.members(['Person 5002', 'Person 5004']);
    expect(written.slice(2)).to.have.members(['Person 5001', 'Person 5003']);
  });
});

describe('The plan', () => {
  after(stopServices);

  it('skips what is over its conversations a day, counts it, and has room again the next day', async () => {
    const { service, nora } = await serviceWith(world({ ...crowd(303) }));
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result).to.deep.include({ dialogsProcessed: 303, digestsCreated: 300, errors: [] });
    expect(await service.db('digests').where({ status: 'SKIPPED', reason: 'PLAN_LIMIT' })).to.have.length(3);
    expect(service.sandbox.calls()['messages.GetHistory']).to.equal(300);

    // Written again, a digest takes no conversation's place: with none left, nor with the one of a deleted digest.
    const writeMore = () => service.sandbox.addMessages('test', 'user:5303', [{ from: 5303, text: 'One more thing.' }]);
    writeMore();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
    const { id } = await service.db('digests').where({ status: 'COMPLETE' }).orderBy('last_message_id').first('id');
    await post(nora, `/digests/${id}/delete`).expect(303);
    writeMore();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 2 });

    service.clock.advance(24 * 3600 * 1000);
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 2 });
  });
});
