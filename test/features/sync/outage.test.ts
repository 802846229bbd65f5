import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ClientError } from '../../../src/clients/errors.ts';
import { nameAccountLease, withAccount } from '../../../src/features/messenger/withAccount.ts';
import { createRetryPolicy, pauseAfterOutage } from '../../../src/features/sync/run/syncAccount.ts';
import { syncLater } from '../../../src/features/sync/service.ts';
import { wordsOf } from '../../support/pages.ts';
import { type Agent, connectedNora, finished, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { crowd, world } from '../../support/worlds.ts';

describe('An outage of the messenger', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(3) })] });
    nora = await connectedNora(service);
    userId = (await service.db('users').first()).id;
  });
  afterEach(() => service.sandbox.faults.clear());
  after(stopServices);

  const down = () => service.sandbox.faults.always({ status: 500, message: 'INTERNAL' });
  const laterJob = () => service.db.withSchema('pgboss').table('job').where({ name: 'sync-later' });

  it('is waited out in the job when it is short', async () => {
    down();
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    await sleep(1500);
    service.sandbox.faults.clear();
    const { state, result } = await finished(nora, body.jobId);
    expect(state).to.equal('completed');
    expect(result).to.deep.include({ digestsCreated: 3, errors: [] });
    expect(await laterJob()).to.deep.equal([]);
  });

  it('ends the job when it is longer, which is retried automatically for the same day', async () => {
    service.sandbox.simulateNextDay('test');
    service.sandbox.addMessages('test', 'user:5003', [{ from: 5003, text: 'One more thing.' }]);
    down();
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    const { state, result } = await finished(nora, body.jobId);
    // Its retry waits for this test, however slow that is.
    await laterJob().update({ start_after: 'infinity' });
    expect(state).to.equal('failed');
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.include({ stage: 'connect', code: 'MESSENGER_UNAVAILABLE', retryable: true });
    const { text } = await nora.get('/today').expect(200);
    expect(wordsOf(text)).to.match(/Telegram couldn’t be reached\..* We’ll try again at \d\d:\d\d/);

    // It is past midnight when the outage is over.
    const day = new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 10);
    await service.db('sync_jobs').where({ id: body.jobId }).update({ digest_date: day });
    await service.db('digests').delete();
    await service.db('dialogs').update({ cursor_message_id: null });
    await service.db('sync_jobs').whereNot({ id: body.jobId }).delete();
    service.sandbox.faults.clear();
    const data = JSON.stringify({ userId, day, outages: 1 });
    await laterJob().update({ data, start_after: service.db.fn.now() });
    const retried = await finishedOnceThere(`sync:${userId}:retry:1`);
    expect(retried.state).to.equal('completed');
    const days = await service.db('digests').select(service.db.raw(`to_char(digest_date, 'YYYY-MM-DD') as day`));
    expect(days.map(row => row.day)).to.deep.equal([day, day, day]);
  });

  it('is retried no later because another account has to wait longer', async () => {
    const { id: jobId } = await service.db('sync_jobs').first('id');
    const day = new Date().toISOString().slice(0, 10);
    const later = (seconds: number) => syncLater(service.worker(), { userId, jobId, day, outages: 0, seconds });
    const retryAt = async () => (await service.db('sync_jobs').where({ id: jobId }).first('retry_at')).retry_at.getTime();
    await later(300);
    const first = await retryAt();
    await later(3600);
    expect(await retryAt()).to.be.closeTo(first, 2000);
    await later(60);
    expect((await laterJob().where({ state: 'created' }).first()).start_after.getTime()).to.be.below(first - 200_000);
    await laterJob().where({ state: 'created' }).delete();
  });

  it('is retried once the sync that could not read it has read the other accounts', async () => {
    const { id: jobId } = await service.db('sync_jobs').first('id');
    const day = new Date().toISOString().slice(0, 10);
    await service.db('sync_jobs').where({ id: jobId }).update({ state: 'active' });
    // An earlier sync asked for it, too: one request is enough for both.
    for (const asking of ['earlier', jobId])
      await syncLater(service.worker(), { userId, jobId: asking, day, outages: 0, seconds: 3600 });
    await laterJob().update({ start_after: service.db.fn.now() });
    const waiting = () => laterJob().where({ state: 'created' }).where('start_after', '>', service.db.fn.now());
    await until(async () => (await waiting()).length === 1);
    await service.db('sync_jobs').where({ id: jobId }).update({ state: 'completed' });
    await waiting().update({ start_after: service.db.fn.now() });
    expect((await finishedOnceThere(`sync:${userId}:retry:2`)).state).to.equal('completed');
  });

  async function finishedOnceThere(jobId: string) {
    await until(() => service.db('sync_jobs').where({ id: jobId }).first());
    return finished(nora, jobId);
  }
});

describe('An account whose connection another process took over', () => {
  let service: Service;
  let nora: Agent;
  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(3) })] });
    nora = await connectedNora(service);
  });
  after(stopServices);

  it('is not reported as disconnected, and is read later', async () => {
    service.sandbox.faults.delay(20_000, 'messages.GetHistory');
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    await until(() => service.db('digests').where({ is_started: true }).first());
    await service.db('leases').update({ holder: randomUUID() });
    const { result } = await finished(nora, body.jobId);
    expect(result.errors[0]).to.include({ stage: 'connect', code: 'MESSENGER_UNAVAILABLE', retryable: true });
    expect(wordsOf((await nora.get('/today').expect(200)).text)).not.to.match(/not? .{0,20}connected/i);
    expect(await service.db('sync_jobs').where({ id: body.jobId }).whereNotNull('retry_at')).to.have.length(1);
  });

  it('is not waited for any longer by a worker that stops, and not held where its row can’t be read', async () => {
    const { id: accountId, user_id: userId } = await service.db('messenger_accounts').first();
    const held = { name: nameAccountLease(accountId), holder: randomUUID(), held_until: 'infinity' };
    await service.db('leases').insert(held).onConflict('name').merge();
    const turn = { userId, accountId, waitSeconds: 90, signal: AbortSignal.timeout(300) };
    const waiting = withAccount(service.worker(), turn, async () => 'read').catch(() => 'gave up');
    expect(await Promise.race([waiting, sleep(30_000, 'still waiting', { ref: false })])).to.equal('gave up');
    const unknown = { userId, accountId: randomUUID(), waitSeconds: 0 };
    expect(await withAccount(service.worker(), unknown, async () => 'read').catch(err => err.code)).to.equal('NOT_FOUND');
    expect(await service.db('leases').where({ name: nameAccountLease(unknown.accountId) })).to.deep.equal([]);
  });

  it('has to be connected again where its key is lost, and stays for a process that has it', async () => {
    await service.db('leases').delete();
    await service.db('messenger_accounts').update({ credentials: 'v1.lost' });
    const { result } = await syncNow(nora);
    expect(result.errors.map(({ code }) => code)).to.deep.equal(['SESSION_EXPIRED']);
    expect(await service.db('messenger_accounts').first()).to.include({ status: 'active', credentials: 'v1.lost' });
  });
});

describe('The patience of a sync', () => {
  const outage = new ClientError({ service: 'messenger', kind: 'temporary', code: 'UNREACHABLE' });

  it('retries with growing pauses for five minutes, and starts over once something was read', () => {
    let now = 0;
    const patience = createRetryPolicy(300, () => now);
    const pauses: number[] = [];
    for (let pause = patience.pauseAfter(outage); pause !== undefined; pause = patience.pauseAfter(outage)) {
      pauses.push(pause);
      now += pause * 1000;
    }
    expect(pauses).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60, 57]);
    patience.reset();
    expect(patience.pauseAfter(outage)).to.equal(1);
  });

  it('spreads retried syncs more widely the longer the outage lasts, up to an hour', () => {
    const pauses = (outages: number) =>
      Array.from({ length: 200 }, (_, n) => pauseAfterOutage({ userId: `user ${n}`, outages }, 300));
    for (const [outages, longest] of [
      [0, 300],
      [1, 600],
      [3, 2400],
      [4, 3600],
      [9, 3600],
    ] as const) {
      expect(Math.min(...pauses(outages))).to.be.within(longest / 2, longest / 2 + longest / 10);
      expect(Math.max(...pauses(outages))).to.be.within(longest * 0.9, longest + 1);
    }
  });
});
