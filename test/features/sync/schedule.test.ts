import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { loadConfig } from '../../../src/config.ts';
import { createDeps, type Deps } from '../../../src/deps.ts';
import { nextDailyRun } from '../../../src/features/settings/schedule.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { nextSyncAt, queueDailySyncs } from '../../../src/features/sync/dailySyncs.ts';
import { DAILY_SYNC_QUEUE, SYNC_QUEUE, type SyncPayload } from '../../../src/features/sync/schema.ts';
import { triggerSync } from '../../../src/features/sync/service.ts';
import { prepareQueues, registerJobs } from '../../../src/jobs.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { htmxPost, post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectMessenger, finished, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { world } from '../../support/worlds.ts';

const DAY_MS = 24 * 3600 * 1000;
const NO_SPREAD = { spreadSeconds: 0 };

type JobRow = { id: string; user_id: string; state: string; kind: string };

describe('The daily sync', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;

  before(async () => {
    service = await startService({ worlds: [world()] });
    nora = await signIn(service, 'nora@example.com');
    userId = (await service.db('users').first()).id;
  });
  after(stopServices);

  const jobs = (): Promise<JobRow[]> => service.db('sync_jobs').where({ user_id: userId }).orderBy('created_at');
  const dailyJobs = async () => (await jobs()).filter(job => job.kind === 'daily');
  const schedule = () => service.db('sync_configs').where({ user_id: userId }).first();
  const at = (moment: Date): Clock => ({ now: () => moment });
  const queueAt = (moment: Date) => queueDailySyncs({ ...service.worker(), clock: at(moment) }, NO_SPREAD);

  it('is not queued without a connected account; its time just moves on', async () => {
    await nora.post('/api/settings').send({ syncTime: '07:30', timezone: 'Europe/Berlin' }).expect(200);
    const due: Date = (await schedule()).next_sync_at;
    await queueAt(due);
    expect(await jobs()).to.deep.equal([]);
    expect((await schedule()).next_sync_at.getTime()).to.be.within(
      due.getTime() + 23 * 3600e3,
      due.getTime() + 25 * 3600e3,
    );
    expect(await nextSyncAt(service, { userId })).to.equal(undefined);
  });

  it('has a time of the defaults once an account is connected', async () => {
    const sam = await signIn(service, 'sam@example.com');
    const [account] = service.sandbox.accounts();
    await connectMessenger(service, sam, account?.phone ?? '');
    const { id } = await service.db('users').where({ email: 'sam@example.com' }).first();
    const next = await nextSyncAt(service, { userId: id });
    expect(next?.toISOString()).to.match(/T18:00:00\.000Z$/);
    expect((await sam.get('/api/settings')).body.config).to.include({ syncTime: '18:00', timezone: 'UTC' });
    await service.db('users').where({ id }).delete();
  });

  it('is computed anew when its time or zone changes, and only then', async () => {
    const before = await schedule();
    await nora.post('/api/settings').send({ minMessages: 2 }).expect(200);
    expect((await schedule()).next_sync_at).to.deep.equal(before.next_sync_at);
    await nora.post('/api/settings').send({ syncTime: '12:15', timezone: 'Asia/Kathmandu' }).expect(200);
    expect((await schedule()).next_sync_at.toISOString()).to.match(/T06:30:00\.000Z$/);
  });

  it('runs once a day, two days one after the other, under an id with the day', async () => {
    const [account] = service.sandbox.accounts();
    await connectMessenger(service, nora, account?.phone ?? '');
    for (let day = 0; day < 2; day++) {
      const { next_sync_at: due } = await schedule();
      await queueAt(new Date(due.getTime() - 1));
      expect(await dailyJobs()).to.have.length(day);
      await queueAt(due);
      await queueAt(due);
      const newest = (await dailyJobs()).at(-1);
      expect(newest?.id).to.equal(`sync:${userId}:daily:${due.toISOString().slice(0, 10)}`);
      const status = await finished(nora, newest?.id ?? '');
      expect(status.state).to.equal('completed');
    }
    expect(await dailyJobs()).to.have.length(2);
  });

  it('runs once after workers were away for days, and then on the next day', async () => {
    const { next_sync_at: due } = await schedule();
    const late = new Date(due.getTime() + 3 * DAY_MS + 3600e3);
    await queueAt(late);
    await queueAt(late);
    const daily = await dailyJobs();
    expect(daily).to.have.length(3);
    await finished(nora, daily.at(-1)?.id ?? '');
    expect((await schedule()).next_sync_at).to.deep.equal(new Date(due.getTime() + 4 * DAY_MS));
  });

  it('has no second run on a day whose time is changed after it', async () => {
    const { last_sync_day: before } = await schedule();
    const { next_sync_at: due, next_sync_day: day } = await schedule();
    await queueAt(due);
    await finished(nora, (await dailyJobs()).at(-1)?.id ?? '');
    const after = await schedule();
    expect(after.last_sync_day).to.deep.equal(day).and.not.deep.equal(before);
    service.clock.advance(due.getTime() - service.clock.now().getTime() + 60_000);
    await nora.post('/api/settings').send({ syncTime: '20:00' }).expect(200);
    expect((await schedule()).next_sync_day.getTime()).to.be.greaterThan(day.getTime());
  });
});

describe('The daily sync of somebody who travels', () => {
  let service: Service;
  let userId: string;

  before(async () => {
    service = await startService({ worker: false });
    await addDueUsers(service, 1);
    userId = (await service.db('users').first()).id;
    await service.db('messenger_accounts').update({ status: 'inactive', credentials: null });
  });
  after(stopServices);

  const save = (now: string, syncTime: string, timezone: string) =>
    updateSettings(
      { db: service.db, clock: { now: () => new Date(now) } },
      { userId, changes: { syncTime, timezone } },
    );
  const next = async () => (await nextDailyRun(service, { userId }))?.toISOString();
  const ranOn = (day: string | null) => service.db('sync_configs').update({ last_sync_day: day });

  it('follows a change of the time within a day in which the clocks change', async () => {
    await save('2027-03-13T20:00Z', '02:30', 'America/New_York');
    expect(await next()).to.equal('2027-03-14T07:00:00.000Z');
    await save('2027-03-14T06:59Z', '01:30', 'America/New_York');
    expect(await next()).to.equal('2027-03-15T05:30:00.000Z');
    await save('2027-03-14T07:00Z', '03:00', 'America/New_York');
    expect(await next()).to.equal('2027-03-15T07:00:00.000Z');
    await save('2027-03-14T07:00Z', '03:01', 'America/New_York');
    expect(await next()).to.equal('2027-03-14T07:01:00.000Z');
  });

  it('has one run for each day when the date line is crossed to the west and back', async () => {
    await save('2026-12-30T09:00Z', '00:30', 'Pacific/Kiritimati');
    expect(await next()).to.equal('2026-12-30T10:30:00.000Z');
    await ranOn('2026-12-31');
    await save('2026-12-30T12:00Z', '00:30', 'Pacific/Pago_Pago');
    expect(await next(), 'the 30th and the 31st are behind the last run').to.equal('2027-01-01T11:30:00.000Z');
    await ranOn('2027-01-01');
    await save('2027-01-01T12:00Z', '00:30', 'Pacific/Kiritimati');
    expect(await next(), 'there the 2nd has begun').to.equal('2027-01-02T10:30:00.000Z');
    await ranOn(null);
  });

  it('goes on in UTC when its zone is one that Node has no more', async () => {
    const deps = await depsOf(service);
    const due = new Date('2026-11-21T07:00Z');
    await service.db('sync_configs').update({ timezone: 'Mars/Base', sync_time: '18:00', next_sync_at: due });
    await queueDailySyncs({ ...deps, clock: { now: () => due } });
    await deps.close();
    expect(await next()).to.equal('2026-11-21T18:00:00.000Z');
  });
});

describe('The minute’s look for daily syncs', () => {
  after(stopServices);

  it('comes every minute, in UTC, to whichever worker is free', async () => {
    const service = await startService({ worker: false });
    const deps = await depsOf(service);
    await registerJobs(deps);
    const schedules = await deps.queue.getSchedules();
    const schedule = schedules.find(({ name }) => name === DAILY_SYNC_QUEUE.name);
    expect(schedule).to.include({ cron: '* * * * *', timezone: 'UTC' });
    const taken = await deps.queue.getWipData();
    expect(taken.map(({ name }) => name)).to.include(DAILY_SYNC_QUEUE.name);
    await deps.close();
  });
});

describe('The next digest', () => {
  after(stopServices);

  it('is told on Today and when the settings are saved, once an account is connected', async () => {
    const service = await startService({ worlds: [world()], worker: false });
    const nora = await signIn(service, 'nora@example.com');
    const form = { syncTime: '07:30', timezone: 'Europe/Berlin', minMessages: '1', summaryStyle: 'BUSINESS' };
    expect(wordsOf((await htmxPost(nora, '/settings', form)).text)).to.match(/Saved$/);
    const [account] = service.sandbox.accounts();
    await connectMessenger(service, nora, account?.phone ?? '');
    const told = /The next digest is (today|tomorrow) at 07:30\./;
    expect(wordsOf((await htmxPost(nora, '/settings', form)).text)).to.match(
      /Saved\. The next digest is \w+ at 07:30\.$/,
    );
    await post(nora, '/settings', form).expect(303);
    expect(wordsOf((await nora.get('/settings')).text)).to.match(told);
    expect(wordsOf((await nora.get('/today')).text)).to.match(told);
  });
});

describe('A trigger beside the daily sync', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;

  before(async () => {
    service = await startService({ worlds: [world()], worker: false });
    nora = await signIn(service, 'nora@example.com');
    const [account] = service.sandbox.accounts();
    await connectMessenger(service, nora, account?.phone ?? '');
    userId = (await service.db('users').first()).id;
  });
  after(stopServices);

  const trigger = async () => (await nora.post('/api/sync/trigger').expect(200)).body.jobId;
  const status = async (jobId: string) => (await nora.get('/api/sync/status').query({ jobId }).expect(200)).body;

  it('waits for a manual one that is at work, and is not lost', async () => {
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

describe('A sync that has ended', () => {
  after(stopServices);

  it('is gone from the queue, which counts all of its jobs every few seconds, after an hour', async () => {
    const service = await startService({ worlds: [world()] });
    const nora = await signIn(service, 'nora@example.com');
    const [account] = service.sandbox.accounts();
    await connectMessenger(service, nora, account?.phone ?? '');
    const jobId = (await nora.post('/api/sync/trigger').expect(200)).body.jobId;
    await finished(nora, jobId);
    const queued = () => service.db('pgboss.job').where({ name: SYNC_QUEUE.name });
    while ((await queued())[0]?.state !== 'completed') await sleep(50);
    const age = (minutes: number) =>
      service.db('pgboss.job').update({ completed_on: service.db.raw(`now() - ? * interval '1 minute'`, [minutes]) });
    const cleanUp = async () => {
      await service.db('pgboss.queue').update({ maintain_on: null });
      await service.worker().queue.supervise(SYNC_QUEUE.name);
    };
    await age(59);
    await cleanUp();
    expect(await queued()).to.have.length(1);
    await age(61);
    await cleanUp();
    expect(await queued()).to.have.length(0);
    expect((await nora.get('/api/sync/status').query({ jobId })).body.state).to.equal('completed');
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

  it('is next, not the last of all', async () => {
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

  it('are left as they were by a worker that dies in the middle', async () => {
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
    const failure = await queueDailySyncs({ ...deps, queue }).catch(err => err.message);
    expect(failure).to.equal('gone');
    expect(await service.db('pgboss.job').where({ name: 'sync' })).to.deep.equal([]);
    expect(await service.db('sync_configs').where('next_sync_at', '<=', new Date())).to.have.length(USERS);
  });

  it('are queued once for each user, spread over four minutes', async () => {
    await Promise.all(workers.map(deps => queueDailySyncs(deps)));
    const queued = await service.db('pgboss.job').where({ name: 'sync' });
    const jobs = await service.db('sync_jobs').where({ kind: 'daily', state: 'waiting' });
    expect(new Set(jobs.map(job => job.user_id)).size)
      .to.equal(USERS)
      .and.equal(jobs.length);
    expect(new Set(queued.map(job => job.singleton_key)).size)
      .to.equal(USERS)
      .and.equal(queued.length);
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
const atDue = (deps: Deps, due: Date): Deps => ({ ...deps, clock: { now: () => due } });

async function depsOf(service: Service): Promise<Deps> {
  const deps = await createDeps(loadConfig(service.env), 'web');
  await prepareQueues(deps.queue);
  return deps;
}

async function addDueUsers({ db }: Service, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await db('users').insert(ids.map(id => ({ id, email: `${id}@example.com`, name: '' })));
  await db('messenger_accounts').insert(
    ids.map(id => ({
      user_id: id,
      messenger_user_id: id,
      status: 'active',
      credentials: 'sealed',
      connected_at: new Date(),
    })),
  );
  await db('sync_configs').insert(
    ids.map(id => ({
      user_id: id,
      sync_time: '18:00',
      timezone: 'UTC',
      include_groups: false,
      min_messages: 1,
      summary_style: 'BUSINESS',
      auto_create_contacts: false,
      next_sync_at: new Date(Date.now() - 1000),
      next_sync_day: '2026-11-01',
    })),
  );
}
