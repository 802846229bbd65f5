import { expect } from 'chai';
import type { Deps } from '../../../src/deps.ts';
import { SYNC_QUEUE, type SyncPayload } from '../../../src/features/sync/schema.ts';
import { queueDailySyncs, triggerSync } from '../../../src/features/sync/service.ts';
import { type Agent, connectedNora, finished, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { world } from '../../support/worlds.ts';
import { addDueUsers, depsOf, NO_SPREAD } from './dueUsers.ts';

describe('A trigger beside the daily sync', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;

  before(async () => {
    service = await startService({ worlds: [world()], worker: false });
    nora = await connectedNora(service);
    userId = (await service.db('users').first()).id;
  });
  after(stopServices);

  const trigger = async () => (await nora.post('/api/sync/trigger').expect(200)).body.jobId;
  const status = async (jobId: string) => (await nora.get('/api/sync/status').query({ jobId }).expect(200)).body;

  it('waits for a manual sync that is running, and is not lost', async () => {
    const manual = await trigger();
    const deps = await depsOf(service);
    await queueDailySyncs(atDue(deps, await dueOf(service)), NO_SPREAD);
    expect(await service.db('sync_jobs').where({ kind: 'daily' })).to.deep.equal([]);
    await service.startWorker();
    await finished(nora, manual);
    await queueDailySyncs(atDue(deps, await dueOf(service)), NO_SPREAD);
    const [daily] = await service.db('sync_jobs').where({ kind: 'daily' });
    expect((await finished(nora, daily.id)).state).to.equal('completed');
    await deps.close();
  });

  it('answers a manual id that shows the daily one, the same at each trigger, and has it start now', async () => {
    const deps = service.worker();
    await deps.queue.offWork('sync');
    await queueDailySyncs(atDue(deps, await dueOf(service)), { spreadSeconds: 240_000 });
    const [daily] = await service.db('sync_jobs').where({ kind: 'daily', state: 'waiting' });
    const [first, second] = [await trigger(), await trigger()];
    expect(first).to.equal(`sync:${userId}:manual:2`).and.equal(second);
    expect((await status(first)).state).to.equal('waiting');
    expect(await service.db('sync_jobs').whereIn('state', ['waiting', 'active'])).to.have.length(1);
    await service.startWorker();
    expect(await finished(nora, first)).to.deep.equal(await status(daily.id));
    const sam = await signIn(service, 'sam@example.com');
    expect((await sam.get('/api/sync/status').query({ jobId: first })).body.state).to.equal('not_found');
    expect(await trigger()).to.equal(`sync:${userId}:manual:3`);
  });
});

describe('A trigger behind the daily syncs of many', () => {
  let service: Service;
  let deps: Deps;

  before(async () => {
    service = await startService({ worker: false });
    await addDueUsers(service, 30);
    deps = await depsOf(service);
    await queueDailySyncs(deps, NO_SPREAD);
  });
  after(async () => {
    await deps.close();
    await stopServices();
  });

  const taken = async () => (await deps.queue.fetch<SyncPayload>(SYNC_QUEUE.name))[0]?.data.userId;

  it('is next, not last', async () => {
    const nora = await signIn(service, 'nora@example.com');
    const [account] = await service.db('messenger_accounts');
    const { id } = await service.db('users').where({ email: 'nora@example.com' }).first();
    await service.db('messenger_accounts').where({ id: account.id }).update({ user_id: id });
    await nora.post('/api/sync/trigger').expect(200);
    expect(await taken()).to.equal(id);
  });

  it('brings the daily sync of its user to the front', async () => {
    const waiting = await service.db('sync_jobs').where({ kind: 'daily' }).orderBy('queue_id', 'desc');
    const ids = new Set([waiting.at(0)?.user_id, waiting.at(-1)?.user_id]);
    for (const userId of ids) await triggerSync(deps, { userId });
    expect(new Set([await taken(), await taken()])).to.deep.equal(ids);
  });
});

describe('Daily syncs claimed by four workers at once', () => {
  let service: Service;
  const workers: Deps[] = [];
  const USERS = 1000;

  before(async () => {
    service = await startService({ worker: false });
    await addDueUsers(service, USERS);
    for (let i = 0; i < 4; i++) workers.push(await depsOf(service));
  });
  after(async () => {
    for (const deps of workers) await deps.close();
    await stopServices();
  });

  it('stay unclaimed when a worker dies while claiming', async () => {
    const [deps] = workers;
    if (!deps) throw new Error('no worker');
    const queue = Object.create(deps.queue, {
      insert: {
        value: async (...given: Parameters<Deps['queue']['insert']>) => {
          await deps.queue.insert(...given);
          throw new Error('gone');
        },
      },
    });
    expect(await queueDailySyncs({ ...deps, queue }).catch(err => err.message)).to.equal('gone');
    expect(await service.db('pgboss.job').where({ name: 'sync' })).to.deep.equal([]);
    expect(await service.db('sync_configs').where('next_sync_at', '<=', new Date())).to.have.length(USERS);
  });

  it('are queued once for each user, spread over four minutes', async () => {
    await Promise.all(workers.map(deps => queueDailySyncs(deps)));
    const queued = await service.db('pgboss.job').where({ name: 'sync' });
    const today = service.db.raw(`(created_at at time zone 'UTC')::date`);
    const jobs = await service.db('sync_jobs').where({ kind: 'daily', state: 'waiting', digest_date: today });
    expect([jobs.length, queued.length]).to.deep.equal([USERS, USERS]);
    expect(new Set(jobs.map(job => job.user_id)).size).to.equal(USERS);
    expect(new Set(queued.map(job => job.singleton_key)).size).to.equal(USERS);
    expect(new Set(queued.map(job => job.id))).to.deep.equal(new Set(jobs.map(job => job.queue_id)));
    const delays = queued.map(job => (job.start_after.getTime() - job.created_on.getTime()) / 1000);
    for (let minute = 0; minute < 4; minute++) {
      const inMinute = delays.filter(seconds => seconds >= minute * 60 && seconds < (minute + 1) * 60).length;
      expect(inMinute, `minute ${minute}`).to.be.within(USERS / 4 - 80, USERS / 4 + 80);
    }
    expect(Math.max(...delays)).to.be.at.most(240);
    expect(await service.db('sync_configs').where('next_sync_at', '<=', new Date())).to.deep.equal([]);
  });
});

const dueOf = async (service: Service): Promise<Date> => (await service.db('sync_configs').first()).next_sync_at;
const atDue = (deps: Deps, due: Date): Deps => ({ ...deps, clock: { ...deps.clock, now: () => due } });
