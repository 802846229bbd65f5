import { expect } from 'chai';
import { doMainJob } from '../../sandbox/firstRun.ts';
import { startService, stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';
import { crowd, owner, world } from '../support/worlds.ts';

describe('The first run of the demo', () => {
  after(stopServices);

  it('syncs again where the connection was lost in the middle, and is ready once every conversation is read', async () => {
    const service = await startService({ worlds: [world({ ...crowd(3) })] });
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
    const show = { say: () => undefined, progress: () => undefined };
    const { signal } = new AbortController();
    const ready = doMainJob({ appUrl: service.url, user, crm: undefined, hasMailSandbox: false, show, signal });
    await until(async () => (await service.db('sync_jobs').where({ state: 'completed' })).length === 1);
    expect(await service.db('digests').where({ status: 'COMPLETE' })).to.have.length(2);
    service.sandbox.faults.clear();
    expect((await ready).errors).to.deep.equal([]);
    expect(await service.db('digests').where({ status: 'COMPLETE' })).to.have.length(3);
  });
});
