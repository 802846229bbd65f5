import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { type Line, lineTo } from '../../test/support/databaseLine.ts';
import { type Ground, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';
import { fillMornings, signedInReader } from '../support/morning.ts';
import { killBackends, lockDigests } from './database.ts';
import { startRedis } from './redis.ts';

/*
 * What a person sees while the database or Redis fails: for each fault and page the status and the seconds until the
 * whole answer was there, of a real web process. Fails when an answer takes longer than LONGEST_SECONDS, or is neither
 * the page nor a 503.
 *
 *   node bench/faults/index.ts
 */

const PAGES = ['/today', '/contacts', '/settings', '/signin', '/api/digests', '/healthz', '/readyz'];
const LONGEST_SECONDS = 8;
/** Part of a page that was rendered without the browser session. */
const WITHOUT_REDIS = 'A message may be missing here';
/** The number of parallel requests that exhausts the pool. */
const CROWD = 30;

type Stage = { url: string; cookie: string; database: Line; redis: Line | undefined; ground: Ground };
type Fault = {
  name: string;
  /** Before each page; returns how to end it. */
  begin(stage: Stage): Promise<(() => Promise<void>) | undefined>;
  /** The pages that may be an error; all others must be served. */
  mayFail: boolean;
};

const onDatabase = (name: string, act: (line: Line) => void, mayFail = true): Fault => ({
  name: `database ${name}`,
  mayFail,
  begin: async ({ database }) => void act(database),
});
const onRedis = (name: string, act: (line: Line) => void): Fault => ({
  name: `Redis ${name}`,
  mayFail: false,
  begin: async ({ redis }) => void (redis && act(redis)),
});

const FAULTS: Fault[] = [
  { name: 'none', mayFail: false, begin: async () => undefined },
  onDatabase('refused', line => line.cut()),
  onDatabase('silent from the start', line => line.mute()),
  onDatabase('silent in the middle', line => line.freeze()),
  onDatabase('300 ms slower', line => line.slow(300), false),
  {
    name: 'database backends killed',
    mayFail: true,
    begin: async ({ ground }) => void (await killBackends(ground.url)),
  },
  { name: 'pool used up (a locked table)', mayFail: true, begin: useUpPool },
  onRedis('gone', line => line.cut()),
  onRedis('silent from the start', line => line.mute()),
  onRedis('silent in the middle', line => line.freeze()),
];

await withGround(async ground => {
  const database = await lineTo(ground.url);
  const redisServer = await startRedis(ground.folder);
  const redis = redisServer && (await lineTo(redisServer.url));
  if (!redis) print('No redis-server is installed: its faults are left out.');
  const port = await getPort({ host: '127.0.0.1' });
  const env = { ...ground.env, DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: 'silent' };
  const web = spawnScript(['src/web.ts'], { ...env, ...(redis && { REDIS_URL: redis.url }) });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(`${url}/healthz`);
  const reader = await signedInReader(url, ground.db, 'reader@example.com');
  await fillMornings(ground.db, reader.userId, { perDay: 30, days: 10, script: 'latin' });
  const stage = { url, cookie: await withBrowserSession(url, reader.cookie), database, redis, ground };

  print(`| fault | ${PAGES.join(' | ')} |\n| --- |${PAGES.map(() => ' --- |').join('')}`);
  for (const fault of FAULTS) {
    if (fault.name.startsWith('Redis') && !redis) continue;
    const cells: string[] = [];
    for (const page of PAGES) cells.push(await measure(stage, fault, page));
    print(`| ${fault.name} | ${cells.join(' | ')} |`);
  }
  await startWithout(database, { ...env, PORT: '0' });
  web.kill('SIGKILL');
  database.close();
  redis?.close();
  redisServer?.stop();
});

/** Requests reuse connections, as in production. */
async function measure(stage: Stage, fault: Fault, page: string): Promise<string> {
  await untilReady(stage);
  const end = await fault.begin(stage);
  const { status, seconds } = await ask(stage, page);
  await end?.();
  await Promise.all([stage.database.restore(), stage.redis?.restore()]);
  const isWell = seconds <= LONGEST_SECONDS && (status === 200 || (fault.mayFail && status === 503));
  if (!isWell) process.exitCode = 1;
  return `${status} ${seconds.toFixed(1)} s${isWell ? '' : ' (!)'}`;
}

async function ask({ url, cookie }: Stage, page: string): Promise<{ status: number; text: string; seconds: number }> {
  const begun = performance.now();
  const signal = AbortSignal.timeout(60_000);
  // Before sign-in there is no session.
  const headers: Record<string, string> = page === '/signin' ? {} : { cookie };
  const answered = await fetch(url + page, { headers, redirect: 'manual', signal }).then(
    async answer => ({ status: answer.status, text: await answer.text() }),
    () => ({ status: 0, text: '' }),
  );
  return { ...answered, seconds: (performance.now() - begun) / 1000 };
}

async function untilReady(stage: Stage): Promise<void> {
  for (let asked = 0; asked < 300; asked++) {
    const pages = await Promise.all(['/readyz', '/today', '/settings'].map(page => ask(stage, page)));
    if (pages.every(({ status, text }) => status === 200 && !text.includes(WITHOUT_REDIS))) return;
    await sleep(100);
  }
  throw new Error('the service did not recover');
}

/** A message for the next page makes the browser one with a session in the store. */
async function withBrowserSession(url: string, cookie: string): Promise<string> {
  const body = new URLSearchParams({ syncTime: '07:30', timezone: 'UTC', minMessages: '2', summaryStyle: 'BUSINESS' });
  const answer = await fetch(`${url}/settings`, { method: 'POST', body, headers: { cookie }, redirect: 'manual' });
  const [kept] = answer.headers.getSetCookie().filter(one => one.startsWith('forenoon.sid='));
  if (!kept) throw new Error('no browser session was kept');
  return `${cookie}; ${kept.split(';')[0]}`;
}

async function useUpPool(stage: Stage): Promise<() => Promise<void>> {
  const unlock = await lockDigests(stage.ground.url);
  const crowd = Array.from({ length: CROWD }, () => ask(stage, '/today'));
  await sleep(300);
  return async () => {
    await unlock();
    await Promise.all(crowd);
  };
}

/** A process that can't start exits and says why. */
async function startWithout(database: Line, env: Record<string, string>): Promise<void> {
  for (const [name, act] of [
    ['refused', () => database.cut()],
    ['silent', () => database.mute()],
  ] as const) {
    act();
    const begun = performance.now();
    const process: ChildProcess = spawnScript(['src/web.ts'], env);
    const [code] = await once(process, 'exit');
    print(
      `start with the database ${name}: exit code ${code} after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    );
    await database.restore();
  }
}
