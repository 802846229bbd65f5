import { expect } from 'chai';
import { getSettingsWithSchedule, updateSettings } from '../../../src/features/base/settings/service.ts';
import { listAccounts } from '../../../src/features/messenger/repo.ts';
import { findNextSync, queueDailySyncs } from '../../../src/features/sync/service.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { type Agent, connectMessenger, finished, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { world } from '../../support/worlds.ts';
import { addDueUsers, NO_SPREAD } from './dueUsers.ts';

const DAY_MS = 24 * 3600 * 1000;

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

  const jobs = () => service.db('sync_jobs').where({ user_id: userId }).orderBy('created_at');
  const dailyJobs = async () => (await jobs()).filter(job => job.kind === 'daily');
  const schedule = () => service.db('sync_configs').where({ user_id: userId }).first();
  const at = (moment: Date): Clock => ({ now: () => moment });
  const queueAt = (moment: Date) => queueDailySyncs({ ...service.worker(), clock: at(moment) }, NO_SPREAD);

  it('is not queued without a connected account; its time just moves on', async () => {
    await nora.post('/api/settings').send({ syncTime: '07:30', timezone: 'Europe/Berlin' }).expect(200);
    const due: Date = (await schedule()).next_sync_at;
    await queueAt(due);
    expect(await jobs()).to.deep.equal([]);
    expect((await schedule()).next_sync_at.getTime()).to.be.within(due.getTime() + 23 * 3600e3, due.getTime() + 25 * 3600e3);
    const { nextRunAt } = await getSettingsWithSchedule(service, { userId });
    expect(findNextSync(await listAccounts(service.db, userId), nextRunAt)).to.equal(undefined);
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
    const { last_sync_day: before, next_sync_at: due, next_sync_day: day } = await schedule();
    await queueAt(due);
    await finished(nora, (await dailyJobs()).at(-1)?.id ?? '');
    const after = await schedule();
    expect(after.last_sync_day).to.deep.equal(day).and.not.deep.equal(before);
    service.clock.advance(due.getTime() - service.clock.now().getTime() + 60_000);
    await nora.post('/api/settings').send({ syncTime: '20:00' }).expect(200);
    expect((await schedule()).next_sync_day.getTime()).to.be.greaterThan(day.getTime());
  });
});

describe('The daily sync of a traveling user', () => {
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
    updateSettings({ db: service.db, clock: { now: () => new Date(now) } }, { userId, changes: { syncTime, timezone } });
  const next = async () => (await getSettingsWithSchedule(service, { userId })).nextRunAt?.toISOString();
  const ranOn = (day: string | null) => service.db('sync_configs').update({ last_sync_day: day });

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

  it('is planned for the next day where a wrong clock dated the last run far ahead', async () => {
    await save('2026-12-30T09:00Z', '12:00', 'UTC');
    await ranOn('2027-02-28');
    await save('2026-12-30T09:00Z', '13:00', 'UTC');
    expect(await next()).to.equal('2026-12-30T13:00:00.000Z');
    await ranOn(null);
  });
});
