import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { DAILY_SYNC_QUEUE } from '../../src/features/sync/schema.ts';
import { prepareQueues } from '../../src/jobs.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import { type Ground, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';
import { cpuSeconds, serverCpuSeconds } from './cpu.ts';
import { addCrowd, countDue, countOf, faultsOf, makeEverybodyDue } from './crowd.ts';
import { type Answers, PAGES, percentile, visit, visitor } from './probe.ts';

const WORKERS = 4;
const BEFORE_MS = 10_000;
const BESIDE_MS = 6000;
/** A process that only computes. */
const BUSY = ['-e', 'for (;;) Math.random()'];

/**
 * All users due in the same minute, four workers queueing, and a visitor who opens pages: before, meanwhile, and beside
 * as many processes that only compute. What pages lose beside those is due to the number of cores, not to the queueing.
 */
export async function benchClaim(users: number): Promise<void> {
  await withGround(async ground => {
    await addCrowd(ground.db, users);
    const url = await startWeb(ground);
    const somebody = await visitor(ground.db, url.href);
    const queue = await senderOf(ground);
    const workers = Array.from({ length: WORKERS }, () =>
      spawnScript(['bench/schedule/claimWorker.ts'], { ...ground.env, LOG_LEVEL: 'error' }),
    );
    const pids = workers.map(({ pid }) => pid ?? 0);
    try {
      await makeEverybodyDue(ground.db);
      await untilBeating(ground.db);
      await visit(somebody, after(2000));
      const before = await visit(somebody, after(BEFORE_MS));
      const beside = await besideBusyOnes(ground, () => visit(somebody, after(BESIDE_MS)));
      const [workersBefore, serverBefore] = [pids.map(cpuSeconds), await serverCpuSeconds(ground.db)];
      let isOver = false;
      const visiting = visit(somebody, () => isOver);
      const atOnce = await queueEverybody(ground.db, queue);
      isOver = true;
      const during = await visiting;
      const cpu = pids.map((pid, n) => cpuSeconds(pid) - (workersBefore[n] ?? 0));
      const serverCpu = (await serverCpuSeconds(ground.db)) - serverBefore;
      await report(ground.db, users, { atOnce, cpu, serverCpu, before, beside, during });
    } finally {
      for (const worker of workers) worker.kill('SIGKILL');
      url.stop();
      await queue.stop({ graceful: false });
    }
  });
}

async function besideBusyOnes<T>({ env }: Ground, use: () => Promise<T>): Promise<T> {
  const busy = Array.from({ length: WORKERS }, () => spawnScript(BUSY, env));
  try {
    return await use();
  } finally {
    for (const one of busy) one.kill('SIGKILL');
  }
}

async function startWeb({ env }: Ground): Promise<{ href: string; stop: () => void }> {
  const port = await getPort();
  const web = spawnScript(['src/web.ts'], { ...env, PORT: String(port) });
  const href = `http://127.0.0.1:${port}`;
  await untilAnswering(href);
  return { href, stop: () => web.kill('SIGKILL') };
}

async function senderOf({ url }: Ground): Promise<Queue> {
  const queue = createQueue({ url, works: false, pool: 2, log: createLog({ level: 'fatal', name: 'bench' }) });
  await queue.start();
  await prepareQueues(queue);
  return queue;
}

async function untilBeating(db: Db): Promise<void> {
  while ((await countOf(db, 'select count(*) from worker_heartbeats')) < WORKERS) await sleep(100);
}

/** Gives each worker a tick, as each minute would. Returns how many workers were queueing at once. */
async function queueEverybody(db: Db, queue: Queue): Promise<number> {
  let atOnce = 0;
  for (;;) {
    const atWork = await countOf(db, `select count(*) from pgboss.job where name = 'sync-daily' and state = 'active'`);
    atOnce = Math.max(atOnce, atWork);
    const isDone = (await countDue(db)) === 0;
    if (isDone && atWork === 0) return atOnce;
    if (!isDone && atWork < WORKERS) await queue.send(DAILY_SYNC_QUEUE.name, {});
    await sleep(250);
  }
}

type Measured = Record<'before' | 'beside' | 'during', Answers> & { atOnce: number; cpu: number[]; serverCpu: number };

async function report(db: Db, users: number, measured: Measured): Promise<void> {
  const { atOnce, cpu, serverCpu } = measured;
  const seconds = await countOf(
    db,
    `select extract(epoch from max(completed_on) - min(started_on)) as count from pgboss.job where name = 'sync-daily'`,
  );
  print(
    `${users} users due in one minute: queued in ${seconds.toFixed(1)} s, ${Math.round(users / seconds)} a second, ` +
      `${atOnce} workers at it at once`,
  );
  const all = cpu.reduce((sum, value) => sum + value, serverCpu);
  print(
    `CPU: workers ${cpu.map(value => value.toFixed(1)).join(' + ')} s, database ${serverCpu.toFixed(1)} s; ` +
      `${((1000 * all) / users).toFixed(2)} ms a user`,
  );
  reportAnswers(measured);
  for (const [fault, times] of Object.entries(await faultsOf(db, users))) {
    print(`${String(times).padStart(7)}  ${fault}`);
    if (times !== 0) process.exitCode = 1;
  }
}

function reportAnswers({ before, beside, during }: Measured): void {
  for (const page of PAGES) {
    for (const share of [0.5, 0.95]) {
      const [quiet, loaded, busy] = [before, beside, during].map(answers => percentile(answers[page], share)) as Three;
      print(
        `GET ${page} p${share * 100}: before ${quiet.toFixed(1)} ms, meanwhile ${busy.toFixed(1)} ms, ` +
          `ratio ${(busy / quiet).toFixed(1)}; beside ${WORKERS} that only compute ${loaded.toFixed(1)} ms, ` +
          `ratio ${(busy / loaded).toFixed(1)}`,
      );
    }
  }
  const slowest = Math.max(...PAGES.flatMap(page => during[page]));
  const answers = PAGES.reduce((sum, page) => sum + during[page].length, 0);
  print(`${answers} answers meanwhile, the slowest after ${slowest.toFixed(0)} ms`);
}

type Three = [number, number, number];

function after(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}
