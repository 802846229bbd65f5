import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { doMainJob } from '../../sandbox/firstRun.ts';
import { type DatabaseLine, lineTo } from '../support/databaseLine.ts';
import { startService, stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';
import { crowd, owner, world } from '../support/worlds.ts';

describe('The first run of the demo', () => {
  let line: DatabaseLine;
  after(async () => {
    await stopServices();
    line.close();
  });

  it('syncs again where the connection was lost in the middle, and is ready once every conversation is read', async () => {
    const service = await startService({ worlds: [world({ ...crowd(3) })] });
    line = await lineTo(service.databaseUrl);
    const appUrl = await service.anotherWeb({ DATABASE_URL: line.url });
    service.sandbox.faults.always({ on: 'messages.GetHistory', about: 'user:5003', status: 500, message: 'INTERNAL' });
    const account = () => service.sandbox.accounts().at(0);
    const newestCode = () => account()?.codes[0]?.code;
    const user = {
      email: 'nora@forenoon.test',
      phone: owner.phone ?? '',
      password: account()?.password ?? null,
      newestCode,
      timezone: 'UTC',
    };
    const began = Promise.withResolvers<void>();
    const show = { say: () => undefined, progress: () => began.resolve() };
    const { signal } = new AbortController();
    const ready = doMainJob({ appUrl, user, crm: undefined, hasMailSandbox: false, show, signal });
    await began.promise;
    // It is told 503 several times, and goes on asking.
    line.cut();
    await sleep(1500);
    await line.restore();
    await until(async () => (await service.db('sync_jobs').where({ state: 'completed' })).length === 1);
    expect(await service.db('digests').where({ status: 'COMPLETE' })).to.have.length(2);
    service.sandbox.faults.clear();
    expect((await ready).errors).to.deep.equal([]);
    expect(await service.db('digests').where({ status: 'COMPLETE' })).to.have.length(3);
  });
});
