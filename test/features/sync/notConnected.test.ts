import { expect } from 'chai';
import { findProblems, takeSnapshot } from '../../../src/features/operator/admin/service.ts';
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

  it('counts for its user once when syncs of many fail', async () => {
    const { id } = await service.db('users').first();
    const at = service.clock.now();
    const failed = { kind: 'manual', queue_id: id, state: 'failed', created_at: at, finished_at: at };
    const rows = Array.from({ length: 9 }, (_, n) => ({ ...failed, id: `failed ${n}`, user_id: id }));
    await service.db('sync_jobs').insert(rows);
    const kinds = async () => findProblems(await takeSnapshot(service)).map(({ kind }) => kind);
    expect(await kinds()).not.to.include('SYNCS_FAILING');
    const others = Array.from({ length: 4 }, (_, n) => ({ email: `user${n}@example.com` }));
    const users = await service.db('users').insert(others).returning('id');
    await service.db('sync_jobs').insert(users.map((user, n) => ({ ...failed, id: `other ${n}`, user_id: user.id })));
    expect(await kinds()).to.include('SYNCS_FAILING');
  });
});
