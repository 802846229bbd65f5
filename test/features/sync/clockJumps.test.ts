import { expect } from 'chai';
import type { Deps } from '../../../src/deps.ts';
import { queueDailySyncs } from '../../../src/features/sync/queueDailySyncs.ts';
import { SYNC_QUEUE } from '../../../src/features/sync/schema.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { addDueUsers, depsOf, NO_SPREAD } from './dueUsers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-11-21T00:30Z');
const TIMES = ['07:00', '18:00'];

/** Where application and database share a clock, nothing tells them that it is wrong. */
describe('Daily syncs under a clock that jumps ahead and is set back', () => {
  let service: Service;
  let deps: Deps;

  beforeEach(async () => {
    service = await startService({ worker: false });
    deps = await depsOf(service);
    await addDueUsers(service, TIMES.length);
    const users = await service.db('sync_configs').pluck('user_id');
    for (const [n, time] of TIMES.entries()) {
      const next = { next_sync_at: `2026-11-21T${time}Z`, next_sync_day: '2026-11-21' };
      await service
        .db('sync_configs')
        .where({ user_id: users[n] })
        .update({ sync_time: time, last_sync_day: '2026-11-20', ...next });
    }
  });
  afterEach(async () => {
    await deps.close();
    await stopServices();
  });

  /** What the check of every minute begins at this time, by the users' times, once it is over. */
  async function begunAt(moment: number): Promise<string[]> {
    const clock = { ...deps.clock, now: () => new Date(moment) };
    await queueDailySyncs({ ...deps, clock }, NO_SPREAD);
    const open = service.db('sync_jobs').join('sync_configs', 'sync_configs.user_id', 'sync_jobs.user_id');
    const begun = await open.where({ state: 'waiting' }).orderBy('sync_time').pluck('sync_time');
    await service.db('sync_jobs').update({ state: 'completed', started_at: new Date(moment) });
    await service.db('pgboss.job').where({ name: SYNC_QUEUE.name }).delete();
    return begun;
  }

  /** The runs of each hour, `21 07:30 07:00` being that of the user at seven. */
  async function runs(from: number, to: number): Promise<string[]> {
    const all: string[] = [];
    for (let moment = from; moment < to; moment += HOUR_MS) {
      const when = new Date(moment).toISOString().slice(8, 16).replace('T', ' ');
      for (const time of await begunAt(moment)) all.push(`${when} ${time}`);
    }
    return all;
  }

  const EVERY_DAY = ['22', '23', '24'].flatMap(day => [`${day} 07:30 07:00`, `${day} 18:30 18:00`]);

  for (const days of [1, 2, 365, 3 * 365]) {
    it(`${days} days ahead for a few minutes: each later day has its run, once and on time`, async () => {
      const jump = START + 10 * HOUR_MS;
      expect(await runs(START, jump)).to.deep.equal(['21 07:30 07:00']);
      await begunAt(jump + days * DAY_MS);
      await begunAt(jump + days * DAY_MS + 60_000);
      expect(await runs(jump, START + DAY_MS)).to.deep.equal([]);
      expect(await runs(START + DAY_MS, START + 4 * DAY_MS)).to.deep.equal(EVERY_DAY);
    });

    it(`${days} days back for a few minutes: each day has its run, once and on time`, async () => {
      const jump = START + 10 * HOUR_MS;
      await runs(START, jump);
      expect(await begunAt(jump - days * DAY_MS)).to.deep.equal([]);
      expect(await runs(jump, START + DAY_MS)).to.deep.equal(['21 18:30 18:00']);
      expect(await runs(START + DAY_MS, START + 4 * DAY_MS)).to.deep.equal(EVERY_DAY);
    });
  }

  it('plans no run over two days ahead, whoever planned it', async () => {
    await service.db('sync_configs').update({ next_sync_at: '2029-11-21T07:00Z', last_sync_day: '2029-11-20' });
    await begunAt(START);
    const planned = await service.db('sync_configs').orderBy('sync_time').pluck('next_sync_at');
    expect(planned.map(at => at.toISOString())).to.deep.equal(['2026-11-21T07:00:00.000Z', '2026-11-21T18:00:00.000Z']);
    const today = ['21 07:30 07:00', '21 18:30 18:00'];
    expect(await runs(START, START + 4 * DAY_MS)).to.deep.equal([...today, ...EVERY_DAY]);
  });

  it('leaves alone the day after tomorrow of someone who has crossed the date line', async () => {
    const crossed = { timezone: 'Pacific/Pago_Pago', sync_time: '00:30', last_sync_day: '2026-12-31' };
    await service
      .db('sync_configs')
      .update({ ...crossed, next_sync_at: '2027-01-01T11:30Z', next_sync_day: '2027-01-01' });
    await begunAt(Date.parse('2026-12-30T12:00Z'));
    const planned = await service.db('sync_configs').pluck('next_sync_at');
    expect(planned[0].toISOString()).to.equal('2027-01-01T11:30:00.000Z');
  });
});
