import { expect } from 'chai';
import { takeSnapshot } from '../../../src/features/operator/admin/service.ts';
import { type Agent, finished, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

describe('A sync without a Telegram account', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds: [world(crowd(2))] });
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  const trigger = async (): Promise<string> => (await nora.post('/api/sync/trigger').expect(200)).body.jobId;
  const queued = async () => (await service.db('pgboss.job').where({ name: 'sync' })).length;

  it('fails and says why, as one job outside the queue that alerts no one, however often it is asked for', async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 27; n++) ids.add(await trigger());
    expect(ids.size).to.equal(1);
    const [jobId = ''] = ids;
    expect(jobId).to.match(/^sync:[\da-f-]{36}:manual:1$/);
    const { state, progress, result } = await finished(nora, jobId);
    expect({ state, progress }).to.deep.equal({ state: 'failed', progress: 0 });
    expect(result).to.deep.include({ dialogsProcessed: 0, digestsCreated: 0, notesCreated: 0 });
    expect(result.errors.map(({ code }) => code)).to.deep.equal(['MESSENGER_NOT_CONNECTED']);
    expect(await service.db('sync_jobs')).to.have.length(1);
    expect(await queued()).to.equal(0);
    expect(await service.db('alerts').where({ source: 'sync' })).to.deep.equal([]);
    const { recent } = await takeSnapshot(service);
    expect(recent).to.include({ syncs: 0, incompleteSyncs: 0 });
  });
});
