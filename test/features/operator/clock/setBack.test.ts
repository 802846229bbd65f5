import { expect } from 'chai';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { loadConfig } from '../../../../src/config.ts';
import { createDeps, type Deps } from '../../../../src/deps.ts';
import { ALERT_QUEUE } from '../../../../src/features/base/alerts/schema.ts';
import { notify } from '../../../../src/features/base/alerts/service.ts';
import { runHeartbeat } from '../../../../src/features/operator/admin/runHeartbeat.ts';
import { watchClock } from '../../../../src/features/operator/clock/watchClock.ts';
import { queueDailySyncs } from '../../../../src/features/sync/queueDailySyncs.ts';
import { SYNC_LATER_QUEUE, SYNC_QUEUE } from '../../../../src/features/sync/schema.ts';
import { prepareQueues, registerJobs } from '../../../../src/jobs.ts';
import { setDatabaseAhead, setDatabaseRight } from '../../../support/databaseTime.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { arrival, startBot } from '../../base/alerts/operator.ts';
import { addDueUsers, NO_SPREAD } from '../../sync/dueUsers.ts';

const DAY_MS = 86_400_000;

for (const days of [1, 3 * 365])
  describe(`A database whose clock was ${days} days ahead and is set right`, () => {
    let bot: AlertBotSandbox;
    let service: Service;
    let deps: Deps;
    let stopWatching = () => {};

    before(async () => {
      const started = await startBot();
      bot = started.bot;
      service = await startService({ worker: false, env: started.env });
      await addDueUsers(service, 1);
      await setDatabaseAhead(service, days);
      deps = await createDeps(loadConfig(service.env), 'worker');
      await prepareQueues(deps.queue);
    });
    after(async () => {
      stopWatching();
      await deps.close();
      await stopServices();
      await bot.stop();
    });

    const ahead = () => deps.clock.now().getTime() - Date.now();

    it('is what the processes go by', async () => {
      expect(Math.abs(ahead() - days * DAY_MS)).to.be.below(2000);
      await queueDailySyncs(deps, NO_SPREAD);
      expect(await service.db('sync_jobs')).to.have.length(1);
      await service.db('sync_jobs').update({ state: 'completed', started_at: deps.clock.now() });
      await service.db('pgboss.job').where({ name: SYNC_QUEUE.name }).delete();
    });

    it('leaves stamps ahead of the time, as also the queue does at each look at its schedules', async () => {
      const [{ user_id: userId }] = await service.db('sync_configs');
      await deps.queue.send(SYNC_LATER_QUEUE.name, { userId }, { singletonKey: userId, startAfter: 86_400 });
      const later = deps.clock.now();
      // As of a worker that died.
      await service.db('worker_heartbeats').insert({ id: userId, started_at: later, beat_at: later });
      await service.db('messenger_accounts').update({ lease_until: later, flood_until: later });
      notify(deps, { level: 'warn', source: 'crm', kind: 'CRM_RETRIED', about: {} });
      await until(async () => (await service.db('alerts').where({ kind: 'CRM_RETRIED' })).length === 1);
      await service.db('alerts').update({ state: 'waiting', sending_since: later });
      await service.db('pgboss.job').where({ name: SYNC_LATER_QUEUE.name }).update({ start_after: later });
      await service.db('pgboss.version').update({ cron_on: later });
    });

    it('has processes begin nothing as long as it may become later again, and tell the operator', async () => {
      await setDatabaseRight(service);
      stopWatching = await watchClock(deps, { process: 'worker' });
      expect(Math.abs(ahead())).to.be.below(2000);
      await registerJobs(deps);
      const names = deps.queue.getWipData().map(({ name }) => name);
      expect(new Set(names)).to.deep.equal(new Set(['alerts', 'heartbeat', 'daily-summary']));
      await until(async () => (await service.db('alerts').where({ kind: 'CLOCK_WRONG' })).length === 1);
      stopWatching();
    });

    it('then goes on with everything, and tells that, too', async () => {
      stopWatching = await watchClock(deps, { process: 'worker', settledMs: 0 });
      await deps.queue.takeAgain();
      expect(deps.queue.getWipData().map(({ name }) => name)).to.include('sync');
      await deps.queue.send(ALERT_QUEUE.name, {});
      expect(await arrival(bot, /CRM_RETRIED$/)).to.be.a('string');
      const [job] = await service.db('pgboss.job').where({ name: SYNC_LATER_QUEUE.name });
      expect(['created', 'active', 'completed']).to.include(job?.state ?? 'completed');
      const [account] = await service.db('messenger_accounts');
      // A sync that has begun meanwhile holds a lease of its own, of seconds.
      expect(account.lease_until?.getTime() ?? 0).to.be.at.most(Date.now() + 60_000);
      const { cron_on: checked } = await service.db('pgboss.version').first();
      expect(checked.getTime()).to.be.at.most(Date.now() + 1000);
      const [schedule] = await service.db('sync_configs');
      expect(schedule.next_sync_at.getTime()).to.be.within(Date.now(), Date.now() + 2 * DAY_MS);
      await service.db('worker_heartbeats').update({ beat_at: service.db.raw(`beat_at - interval '10 minutes'`) });
      await runHeartbeat(deps);
      await until(async () => (await service.db('alerts').where({ kind: 'NO_WORKER' })).length === 1);
    });
  });
