import { expect } from 'chai';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { runHeartbeat, startWorkerHeartbeat } from '../../../../src/features/operator/admin/runHeartbeat.ts';
import { DAILY_SUMMARY_QUEUE, HEARTBEAT_QUEUE } from '../../../../src/features/operator/admin/schema.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { crowd, world } from '../../../support/worlds.ts';
import { arrival, calm, HOUR, sendDue, startBot } from '../../base/alerts/operator.ts';

const QUARTER = 15 * 60_000;

describe('The heartbeat', () => {
  let bot: AlertBotSandbox;
  let service: Service;
  const beating: (() => Promise<void>)[] = [];

  before(async () => {
    const started = await startBot();
    bot = started.bot;
    service = await startService({ worlds: [world({ ...crowd(2) })], env: started.env });
    const nora = await connectedNora(service);
    await syncNow(nora);
    await arrival(bot, /SYNC_COMPLETED$/);
  });
  after(async () => {
    for (const stop of beating) await stop();
    await stopServices();
    await bot.stop();
  });

  const heartbeats = () => bot.messages().flatMap(({ text }) => (/ · Heartbeat\n/.test(text) ? [text] : []));
  const ago = (minutes: number) => new Date(service.clock.now().getTime() - minutes * 60_000);

  async function workerComes(): Promise<() => Promise<void>> {
    const log = createLog({ level: 'silent', name: 'test' });
    const stop = await startWorkerHeartbeat({ db: service.db, clock: service.clock, log });
    beating.push(stop);
    return stop;
  }

  /** A job of the queue, waited for; then whatever it told is sent. */
  async function run(queue: { name: string }): Promise<void> {
    const id = await service.worker().queue.send(queue.name, {});
    if (!id) throw new Error('a round is on its way already');
    await until(async () => (await service.db('pgboss.job').where({ id }).first()).state === 'completed');
    await sendDue(service);
    await calm(service);
  }

  it('reports missing workers once, again after an hour, and when it is over', async () => {
    await workerComes();
    await run(HEARTBEAT_QUEUE);
    expect(heartbeats()).to.deep.equal([]);
    service.clock.advance(4 * 60_000);
    await run(HEARTBEAT_QUEUE);
    expect(heartbeats()).to.deep.equal(['Error · Heartbeat\nNo worker is running, so nothing syncs.\nsilent: 1\nNO_WORKER']);
    for (let round = 0; round < 3; round += 1) {
      service.clock.advance(QUARTER);
      await run(HEARTBEAT_QUEUE);
    }
    expect(heartbeats()).to.have.length(1);
    service.clock.advance(QUARTER + 60_000);
    await run(HEARTBEAT_QUEUE);
    expect(heartbeats()).to.have.length(2);
    expect(heartbeats()[1]).to.match(/\nsince: \d{4}-\d\d-\d\dT[\d:.]+Z\nNO_WORKER$/);
    await workerComes();
    service.clock.advance(60_000);
    await run(HEARTBEAT_QUEUE);
    expect(heartbeats()).to.have.length(3);
    expect(heartbeats()[2]).to.match(
      /^Info · Heartbeat\nResolved: No worker is running, so nothing syncs\.\nlastedMinutes: 6\d\nNO_WORKER_OVER$/,
    );
    service.clock.advance(60_000);
    await run(HEARTBEAT_QUEUE);
    expect(heartbeats()).to.have.length(3);
  });

  it('notices a killed worker next to a running one, but not one that shut down', async () => {
    service.clock.advance(2 * HOUR);
    await workerComes();
    const polite = await workerComes();
    await polite();
    await run(HEARTBEAT_QUEUE);
    const before = heartbeats().length;
    await workerComes();
    const killed = await service.db('worker_heartbeats').orderBy('beat_at', 'desc').first();
    const beat_at = ago(5);
    await service.db('worker_heartbeats').where({ id: killed.id }).update({ beat_at });
    await run(HEARTBEAT_QUEUE);
    const told = ['Warning · Heartbeat\nA worker stopped responding.\nsilent: 1\nalive: 1\nWORKER_SILENT'];
    expect(heartbeats().slice(before)).to.deep.equal(told);
  });

  it('notices stuck and failing syncs', async () => {
    await workerComes();
    const [user] = await service.db('users');
    const job = { user_id: user.id, kind: 'manual', queue_id: user.id };
    const stuck = { ...job, id: 'stuck', state: 'active', created_at: ago(50), started_at: ago(45), waits_until: ago(40) };
    await service.db('sync_jobs').insert(stuck);
    const emails = Array.from({ length: 5 }, (_, i) => ({ email: `failing${i}@example.com` }));
    const others = await service.db('users').insert(emails).returning('id');
    const failed = { ...job, state: 'failed', created_at: ago(30), finished_at: ago(20) };
    const ids = [user.id, ...others.map(({ id }) => id)];
    await service.db('sync_jobs').insert(ids.map((id, i) => ({ ...failed, user_id: id, id: `failed ${i}` })));
    await run(HEARTBEAT_QUEUE);
    await arrival(bot, /SYNCS_OVERDUE$/);
    await arrival(bot, /users: 6\nof: 6\nSYNCS_FAILING$/);
    await service.db('sync_jobs').where({ id: 'stuck' }).delete();
    await run(HEARTBEAT_QUEUE);
    await arrival(bot, /SYNCS_OVERDUE_OVER$/);
    await service.db('users').delete().whereNot({ id: user.id });
  });

  it('reports once what several processes find at the same time, and once that it is over', async () => {
    service.clock.advance(4 * HOUR);
    await run(HEARTBEAT_QUEUE);
    const before = heartbeats().length;
    const processes = await Promise.all([1, 2, 3].map(() => service.startWorker()));
    service.clock.advance(4 * HOUR);
    const [user] = await service.db('users');
    const begun = { created_at: ago(180), started_at: ago(180) };
    const job = { user_id: user.id, kind: 'manual', queue_id: user.id, state: 'active', ...begun };
    await workerComes();
    await Promise.all(processes.map(runHeartbeat));
    await service.db('sync_jobs').insert({ ...job, id: 'stuck again' });
    await Promise.all(processes.map(runHeartbeat));
    await service.db('sync_jobs').where({ id: 'stuck again' }).delete();
    await Promise.all(processes.map(runHeartbeat));
    await calm(service, processes);
    service.clock.advance(2 * HOUR);
    await sendDue(service);
    await calm(service);
    const told = heartbeats()
      .slice(before)
      .map(text => text.split('\n').at(-1));
    expect(told.filter(kind => kind?.startsWith('SYNCS_OVERDUE'))).to.deep.equal(['SYNCS_OVERDUE', 'SYNCS_OVERDUE_OVER']);
  });

  it('sums up the day in numbers, without a name', async () => {
    await run(DAILY_SUMMARY_QUEUE);
    const text = await arrival(bot, /DAILY_SUMMARY$/);
    expect(text).to.include('users: 1').and.include('newUsers: 1').and.include('syncsFailed: 1');
    expect(text)
      .to.include('digests COMPLETE: 2')
      .and.not.match(/nora|@/);
  });
});
