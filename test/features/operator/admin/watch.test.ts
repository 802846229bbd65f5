import { expect } from 'chai';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { loadConfig } from '../../../../src/config.ts';
import { createDeps, type Deps } from '../../../../src/deps.ts';
import { HEARTBEAT_QUEUE } from '../../../../src/features/operator/admin/schema.ts';
import { prepareQueues, registerWatches } from '../../../../src/jobs.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { arrival, startBot } from '../../base/alerts/operator.ts';

describe('A web process without any worker', () => {
  let bot: AlertBotSandbox;
  let service: Service;
  let web: Deps;

  before(async () => {
    const started = await startBot();
    bot = started.bot;
    service = await startService({ worker: false, env: started.env });
    web = await createDeps(loadConfig(service.env), 'web', service.clock);
    await prepareQueues(web.queue);
    await registerWatches(web, 1);
  });
  after(async () => {
    await web.close();
    await stopServices();
    await bot.stop();
  });

  it('alerts the operator that no worker is running', async () => {
    await web.queue.send(HEARTBEAT_QUEUE.name, {});
    expect(await arrival(bot, /NO_WORKER$/)).to.match(/^Error · Heartbeat\nNo worker is running/);
  });

  it('leaves everything else to the workers', async () => {
    const queues = web.queue.getWipData().map(({ name }) => name);
    expect(queues).to.have.members(['alerts', 'heartbeat', 'daily-summary']);
  });
});
