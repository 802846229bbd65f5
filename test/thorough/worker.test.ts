import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { connectedNora, finished } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { expireLeases, withoutPauses } from '../support/skipPauses.ts';
import { crowd, world } from '../support/worlds.ts';

const WORKER = fileURLToPath(new URL('../../src/worker.ts', import.meta.url));
const CONVERSATIONS = 60;

/** Real processes, killed as a machine would kill them. */
describe('A worker that is killed in the middle of a sync', () => {
  let service: Service;
  const workers: ChildProcess[] = [];

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(CONVERSATIONS) })], worker: false });
  });
  after(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await stopServices();
  });

  const startWorkerProcess = () => {
    const env = { ...process.env, ...service.env, LOG_LEVEL: 'info' };
    const worker = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    workers.push(worker);
    return worker;
  };
  const digestsWritten = async () => Number((await service.db('digests').where({ status: 'COMPLETE' }).count())[0]?.count);

  it('loses and repeats nothing: another one continues where it stopped', async () => {
    const agent = await connectedNora(service);
    service.sandbox.faults.delay(40, 'messages.GetHistory');
    const { body } = await agent.post('/api/sync/trigger').expect(200);

    const first = startWorkerProcess();
    while ((await digestsWritten()) < 5) await sleep(10);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await expireLeases(service.db);
    const written = await digestsWritten();
    expect(written).to.be.within(5, CONVERSATIONS - 1);

    startWorkerProcess();
    startWorkerProcess();
    const status = await withoutPauses(service.db, () => finished(agent, body.jobId));
    expect(status).to.deep.equal({
      state: 'completed',
      progress: 100,
      result: { dialogsProcessed: CONVERSATIONS, digestsCreated: CONVERSATIONS, notesCreated: 0, errors: [] },
    });
    expect(await digestsWritten()).to.equal(CONVERSATIONS);
    expect(Number((await service.db('digests').count())[0]?.count)).to.equal(CONVERSATIONS);
  });

  it('shuts down gracefully on SIGTERM', async () => {
    const worker = startWorkerProcess();
    for await (const line of createInterface(worker.stdout)) if (line.includes('worker takes jobs')) break;
    worker.kill('SIGTERM');
    const [code] = await once(worker, 'exit');
    expect(code).to.equal(0);
  });
});
