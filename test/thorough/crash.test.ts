import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { connectedNora } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, world } from '../support/worlds.ts';

const POISON = fileURLToPath(new URL('../support/crashOnSignal.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('../../src/worker.ts', import.meta.url));

describe('An uncaught error in a worker', () => {
  let service: Service;
  let worker: ChildProcess;

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(12) })], worker: false });
  });
  after(async () => {
    worker?.kill('SIGKILL');
    await stopServices();
  });

  const inWork = async () => Number((await service.db('digests').where({ is_started: true }).count())[0]?.count);

  it('ends it within three seconds, is logged and reported, and counts a crash of its job', async () => {
    const agent = await connectedNora(service);
    service.sandbox.faults.delay(60_000, 'messages.GetHistory');
    await agent.post('/api/sync/trigger').expect(200);

    const env = { ...process.env, ...service.env, LOG_LEVEL: 'fatal' };
    worker = spawn(process.execPath, ['--import', POISON, WORKER], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const said = worker.stdout ? text(worker.stdout) : '';
    while ((await inWork()) === 0) await sleep(20);
    const begun = Date.now();
    worker.kill('SIGUSR2');
    const [code] = await once(worker, 'exit');

    expect(code).to.equal(1);
    expect(Date.now() - begun).to.be.below(3000);
    expect(await said).to.match(/"level":60.*nobody caught this/);
    expect(await service.db('alerts').where({ kind: 'PROCESS_CRASHED' }).select('about')).to.deep.equal([
      { about: { process: 'worker' } },
    ]);
    expect(await inWork()).to.be.above(0);
  });
});
