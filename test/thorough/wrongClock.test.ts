import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import request from 'supertest';
import type { Deps } from '../../src/deps.ts';
import { CLEAN_UP_QUEUE } from '../../src/features/data/cleanUp/schema.ts';
import { DAILY_SYNC_QUEUE, SYNC_QUEUE } from '../../src/features/sync/schema.ts';
import { depsOf } from '../features/sync/dueUsers.ts';
import { childrenOf } from '../support/bareMachine.ts';
import { freePort } from '../support/freePort.ts';
import { connectedNora } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';
import { crowd, world } from '../support/worlds.ts';

const WRONG_CLOCK = fileURLToPath(new URL('../support/wrongClock.ts', import.meta.url));
const DAY_MS = 86_400_000;
const CONVERSATIONS = 3;
const KINDS = { worker: ['worker'], web: ['web'], serve: ['web', 'worker'] } as const;
/** `serve` has both others below it. */
const DAYS = { worker: [1, -365], web: [-1, 3 * 365], serve: [365, -1] };

/** Real processes. The database's clock is right. */
describe('A process whose clock is wrong', () => {
  let service: Service;
  let queue: Deps;
  let cookie: string;
  let child: ChildProcess | undefined;

  before(async () => {
    service = await startService({ worlds: [world({ ...crowd(CONVERSATIONS) })], worker: false });
    queue = await depsOf(service);
    const nora = await connectedNora(service);
    await nora.get('/api/messenger/dialogs').expect(200);
    const { headers } = await request(service.url)
      .post('/api/auth/callback/dev-credentials')
      .type('form')
      .send({ email: 'nora@example.com', callbackUrl: '/today' });
    cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  });
  afterEach(async () => {
    if (child && child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
  after(async () => {
    await queue.close();
    await stopServices();
  });

  const start = async (kind: keyof typeof KINDS, days: number) => {
    const port = await freePort();
    const wrong = { NODE_OPTIONS: `--import=${WRONG_CLOCK}`, CLOCK_AHEAD: String(days * DAY_MS) };
    const env = { ...process.env, ...service.env, ...wrong, PORT: String(port) };
    const { pathname } = new URL(`../../src/${kind}.ts`, import.meta.url);
    child = spawn(process.execPath, [pathname], { env, stdio: 'ignore' });
    return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}` };
  };
  const count = async (table: string, where = {}) => Number((await service.db(table).where(where).count())[0]?.count);
  const alerts = (kind: string) => service.db('alerts').where({ kind });
  /** Daily syncs are spread over minutes. */
  const startNow = () =>
    service
      .db('pgboss.job')
      .where({ name: SYNC_QUEUE.name, state: 'created' })
      .update({ start_after: new Date(0) });
  const setRight = (pid: number) => {
    for (const one of [pid, ...childrenOf(pid).map(({ pid: below }) => below)]) process.kill(one, 'SIGUSR2');
  };
  /** What the last daily run left, and a run that is due. */
  const makeDue = async () => {
    await service.db.raw('truncate sync_jobs, digests, alerts cascade');
    await service.db('dialogs').update({ cursor_message_id: null });
    await service.db('pgboss.job').delete();
    await service
      .db('sync_configs')
      .update({
        ...{ sync_time: new Date(Date.now() - 60_000).toISOString().slice(11, 16), timezone: 'UTC' },
        ...{ next_sync_at: new Date(Date.now() - 60_000), next_sync_day: new Date(Date.now() - 60_000) },
        last_sync_day: new Date(Date.now() - DAY_MS - 60_000),
      });
    await service.db.raw(
      `insert into digests (user_id, dialog_id, digest_date, status, summary, after_message_id, last_message_id)
       select user_id, id, current_date - 300, 'COMPLETE', 'Old.', 0, 1 from dialogs`,
    );
    for (const { name } of [DAILY_SYNC_QUEUE, CLEAN_UP_QUEUE]) await queue.queue.send(name, {});
  };

  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[])
    for (const days of DAYS[kind])
      it(`${kind}, ${days} days ahead: alerts and begins nothing, and once it is right loses and doubles nothing`, async () => {
        await makeDue();
        const { pid, url } = await start(kind, days);
        await until(async () => (await alerts('CLOCK_WRONG')).length > 0);
        const [{ about, level }] = await alerts('CLOCK_WRONG');
        expect(KINDS[kind]).to.include(about.process);
        expect(Math.abs(about.secondsAhead - days * 86_400)).to.be.below(5);
        expect(level).to.equal('error');
        if (kind !== 'worker') {
          const page = () => request(url).get('/today').set('Cookie', cookie);
          await until(async () => (await page().catch(() => undefined))?.status === 200);
        }
        await sleep(3000);
        expect(await count('sync_jobs')).to.equal(0);
        expect(await count('pgboss.job', { name: CLEAN_UP_QUEUE.name, state: 'created' })).to.equal(1);

        setRight(pid);
        await until(async () => (await alerts('CLOCK_WRONG_OVER')).length > 0);
        if (kind === 'web') return;
        await until(async () => {
          await startNow();
          return (await count('sync_jobs', { state: 'completed' })) === 1;
        });
        await until(async () => (await count('pgboss.job', { name: CLEAN_UP_QUEUE.name, state: 'completed' })) === 1);
        expect(await count('sync_jobs')).to.equal(1);
        expect(await count('digests', { summary: 'Old.' })).to.equal(CONVERSATIONS);
        expect(await count('digests')).to.equal(2 * CONVERSATIONS);
        const [config] = await service.db('sync_configs');
        const hours = (config.next_sync_at.getTime() - Date.now()) / 3_600_000;
        expect(hours).to.be.within(23.5, 24);
      });
});
