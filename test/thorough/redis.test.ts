import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createClient } from 'redis';
import request from 'supertest';
import { createShortLivedSessions } from '../../src/http/shortLivedSession.ts';
import { createDatabase } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { freePort } from '../support/freePort.ts';
import { wordsOf } from '../support/pages.ts';
import { type Agent, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { owner, world } from '../support/worlds.ts';

describe('A start with REDIS_URL set and no Redis there', () => {
  const start = async (redisUrl: string) => {
    const lines: string[] = [];
    const log = createLog({ level: 'error', name: 'test' }, { write: line => void lines.push(line) });
    const begun = Date.now();
    const config = { appUrl: 'http://127.0.0.1', redisUrl, sessionSecret: 'secret' };
    const db = createDatabase('postgres://127.0.0.1:1/none', { pool: 1 });
    const sessions = await createShortLivedSessions({ config, db, log }, { redisPatienceMs: 600 });
    const took = Date.now() - begun;
    await sessions.close();
    return { lines: lines.join(''), took };
  };

  it('continues, and logs a sentence that names the variable and not its value', async () => {
    const port = await freePort();
    const { lines, took } = await start(`redis://somebody:hushhush@127.0.0.1:${port}`);
    expect(lines).to.match(/REDIS_URL: no Redis answered there in \d+ seconds?; pages go on without it/);
    expect(lines).not.to.match(/hushhush/);
    expect(took).to.be.within(500, 3000);
  });
});

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

describe('Short-lived data, with REDIS_URL set', () => {
  if (!isInstalled) {
    it('is kept in Redis (to test it, install redis-server)');
    return;
  }

  let service: Service;
  let redis: ChildProcess;
  let url: string;
  let port: number;
  const folder = mkdtempSync(join(tmpdir(), 'forenoon-redis-'));

  before(async () => {
    port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    redis = await startRedis();
    service = await startService({ worlds: [world()], worker: false, env: { REDIS_URL: url, RATE_LIMIT_CONNECT: '50' } });
  });
  after(async () => {
    await stopServices();
    await stopRedis();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startRedis(): Promise<ChildProcess> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    const child = spawn('redis-server', options, { stdio: 'ignore' });
    while (!(await isListening())) await sleep(20);
    return child;
  }

  async function stopRedis() {
    if (redis.exitCode !== null || redis.signalCode !== null) return;
    const gone = once(redis, 'exit');
    redis.kill('SIGKILL');
    await gone;
  }

  function isListening(): Promise<boolean> {
    return new Promise(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  }

  /** The wizard keeps its step in the browser session. */
  const begin = (browser: Agent) =>
    browser.post('/connect').type('form').send({ phone: owner.phone }).expect(303).expect('Location', '/connect/code');

  it('is kept in Redis for an hour, and not in Postgres', async () => {
    await begin(await signIn(service, 'nora@example.com'));
    const client = await createClient({ url }).connect();
    const keys = await client.keys('*');
    expect(keys).to.have.length(1);
    expect(keys[0]).to.match(/^forenoon:/);
    expect(await client.ttl(keys[0] ?? '')).to.be.within(3500, 3600);
    client.destroy();
    expect(await service.db('browser_sessions')).to.deep.equal([]);
  });

  it('is deleted with the account in every browser, and no other user’s is', async () => {
    const [mara, elsewhere] = [await signIn(service, 'mara@example.com'), await signIn(service, 'mara@example.com')];
    const other = await signIn(service, 'other@example.com');
    const client = await createClient({ url }).connect();
    const before = await client.dbSize();
    for (const browser of [mara, elsewhere, other]) await begin(browser);
    expect(await client.dbSize()).to.equal(before + 3);
    await mara.post('/settings/account/delete').type('form').send({ email: 'mara@example.com' }).expect(303);
    expect(await client.dbSize()).to.equal(before + 1);
    client.destroy();
    await other.get('/connect/code').expect(200);
  });

  it('is reported as missing while Redis is down: pages work, no steps begin, and everything works when it is back', async () => {
    const nora = await signIn(service, 'nora@example.com');
    await begin(nora);
    await stopRedis();
    await sleep(100);
    await expectDegraded(service, nora);

    redis = await startRedis();
    for (let tries = 0; wordsOf((await nora.get('/settings')).text).includes('may be missing'); tries++) {
      if (tries > 100) throw new Error('pages did not come back to Redis');
      await sleep(50);
    }
    // What was kept before is gone with Redis.
    await begin(nora);
  });
});

async function expectDegraded({ url, sandbox }: Service, nora: Agent) {
  const begun = Date.now();
  const { text } = await nora.get('/settings').expect(200);
  expect(wordsOf(text)).to.include('A message may be missing here');
  await nora.get('/today').expect(200);
  await nora.post('/settings').type('form').send({ syncTime: '07:30', timezone: 'UTC', minMessages: 2 });
  await nora.get('/api/settings').expect(200);
  await request(url).get('/readyz').expect(200);
  const codes = () => sandbox.accounts()[0]?.codes.length;
  const before = codes();
  const refused = await nora.post('/connect').type('form').send({ phone: owner.phone }).expect(503);
  expect(wordsOf(refused.text)).to.include('can’t be kept right now');
  expect(codes()).to.equal(before);
  expect(Date.now() - begun).to.be.below(12_000);
}
