import { expect } from 'chai';
import { startJob } from '../../../src/features/sync/repo.ts';
import { runSync } from '../../../src/features/sync/run/runSync.ts';
import { connectedNora } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { crowd, world } from '../../support/worlds.ts';
import { depsOf } from './dueUsers.ts';

const CONVERSATIONS = 12;
const TABLES = ['sync_jobs', 'digests', 'dialogs', 'outbox_notes', 'messenger_accounts'];

describe('A worker whose job was taken over', () => {
  let service: Service;

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(CONVERSATIONS) })], worker: false });
  });
  after(stopServices);

  it('writes nothing more, and the new worker writes every digest once', async () => {
    const agent = await connectedNora(service);
    const { jobId } = (await agent.post('/api/sync/trigger').expect(200)).body;
    const { id: userId } = await service.db('users').first();
    const deps = await depsOf(service);
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const summarizerFor: typeof deps.summarizerFor = async dialog => {
      const chosen = await deps.summarizerFor(dialog);
      return {
        ...chosen,
        async summarize(...about) {
          asked += 1;
          if (asked > 3) reached.resolve();
          if (asked > 3) await gate.promise;
          return chosen.summarize(...about);
        },
      };
    };
    const signal = new AbortController().signal;
    const stalled = runSync({ ...deps, summarizerFor }, { userId, jobId }, signal);
    await reached.promise;

    const start = { today: new Date().toISOString().slice(0, 10), now: new Date() };
    await startJob(service.db, { userId, jobId }, start);
    // Those that were being stored while it was taken are there now, or not at all.
    const before = await stored();
    // The account is free for the new worker before this one writes.
    await until(async () => (await service.db('leases').where('name', 'like', 'messenger%')).length === 0);
    gate.resolve();
    await stalled;
    expect(await stored()).to.deep.equal(before);

    await runSync(deps, { userId, jobId }, signal);
    const job = await service.db('sync_jobs').where({ id: jobId }).first();
    expect(job).to.include({ state: 'completed', digests_created: CONVERSATIONS });
    expect(await service.db('digests').where({ status: 'COMPLETE' })).to.have.length(CONVERSATIONS);
    await deps.close();
  });

  /** Every row that a sync may write; the lease is renewed and given back by whoever has it. */
  async function stored(): Promise<string> {
    const rows = await Promise.all(TABLES.map(table => service.db(table).orderBy('id')));
    return JSON.stringify(rows, (name, value) => (name.startsWith('lease') ? undefined : value), 1);
  }
});
