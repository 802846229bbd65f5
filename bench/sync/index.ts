import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialsContext } from '../../src/features/messenger/withAccount.ts';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createCipher } from '../../src/lib/crypto.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import { findLine, readProcfile } from '../../src/lib/supervisor.ts';
import { startAiSandbox } from '../../test/support/ai/server.ts';
import { type Ground, median, print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, connectAll, startMessenger } from '../support/messenger.ts';

/*
 * A sync of 250 conversations at a messenger that answers after 40 ms, beside a bare script that reads the same chats
 * with the same library and pool and does nothing else, in turns. Then eight users at once, for the worker's memory.
 */

const DELAY_MS = 40;
const CONVERSATIONS = 250;
const MESSAGES = 19;
const ROUNDS = 5;
const USERS_AT_ONCE = 8;
const OPEN_PROMISES = 10_000;
const POOL = 8;
const ANSWER_MS = 2000;
const WORKER = findLine(readProcfile('Procfile'), 'worker').args;

await withGround(async ground => {
  const worlds = Array.from({ length: USERS_AT_ONCE }, (_, n) => accountOf(n, CONVERSATIONS, MESSAGES));
  const sandbox = await startMessenger(ground, worlds, DELAY_MS);
  const people = await connectAll(ground, sandbox);
  const queue = createQueue({ url: ground.url, works: false, pool: 2, log: createLog({ level: 'fatal', name: 'bench' }) });
  await queue.start();
  await prepareQueues(queue);
  const worker = spawnScript(WORKER, ground.env);
  try {
    await compare(ground, queue, people[0]?.userId ?? '');
    await compareLedgers(ground.db, queue, people[0]?.userId ?? '');
    await forgetEverything(ground.db);
    const seconds = await syncAll(
      ground.db,
      queue,
      people.map(person => person.userId),
    );
    print(`${USERS_AT_ONCE} users of ${CONVERSATIONS} at once: ${seconds.toFixed(1)} s`);
    print(`peak memory of the worker: ${peakMegabytes(worker.pid ?? 0)} MB (below 350)`);
    worker.kill('SIGKILL');
    await withSlowModel(ground, queue, people[0]?.userId ?? '');
  } finally {
    worker.kill('SIGKILL');
    await queue.stop({ graceful: false });
    await sandbox.stop();
  }
});

async function compare(ground: Ground, queue: Queue, userId: string): Promise<void> {
  const session = await sessionOf(ground, userId);
  const rounds: { service: number; bare: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await forgetEverything(ground.db);
    const service = await syncOnce(ground.db, queue, userId);
    const bare = await readBare(ground, session);
    if (round > 0) rounds.push({ service, bare });
  }
  const ms = (pick: (round: { service: number; bare: number }) => number) => Math.round(median(rounds.map(pick)));
  print(
    `${CONVERSATIONS} conversations, ${DELAY_MS} ms a call: service ${ms(r => r.service)} ms, bare ${ms(r => r.bare)} ms`,
  );
  print(`ratio service / bare: ${median(rounds.map(r => r.service / r.bare)).toFixed(2)} (at most 1.25)`);
}

/** The same messages read again, with nothing promised before and with 10,000 open promises, in turns. */
async function compareLedgers(db: Db, queue: Queue, userId: string): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [empty, full] = [await syncAgain(db, queue, userId, 0), await syncAgain(db, queue, userId, OPEN_PROMISES)];
    if (round > 0) ratios.push(full / empty);
  }
  print(
    `with ${OPEN_PROMISES.toLocaleString('en')} open promises: ${median(ratios).toFixed(2)} of a sync without (at most 1.3)`,
  );
}

/** Milliseconds of a sync that knows all conversations, but none of their messages. */
async function syncAgain(db: Db, queue: Queue, userId: string, openPromises: number): Promise<number> {
  await db('digests').delete();
  await db('promises').delete();
  await db('dialogs').update({ cursor_message_id: null });
  await db.raw(
    `insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, words, due_date, changed_at)
     select user_id, id, 'before-' || n, current_date - 3, current_date - 3, case when n % 3 = 0 then 'theirs' else 'mine' end,
       'Send quotation ' || n, case when n % 4 > 0 then current_date + n % 20 - 10 end, now()
     from dialogs, generate_series(1, :each::int) n where user_id = :userId`,
    { userId, each: Math.ceil(openPromises / CONVERSATIONS) },
  );
  await db.raw('vacuum analyze');
  return syncOnce(db, queue, userId);
}

/** One user's sync with an AI service that thinks for two seconds: the pool sets the pace, not we. */
async function withSlowModel(ground: Ground, queue: Queue, userId: string): Promise<void> {
  const ai = await startAiSandbox({ delayMs: ANSWER_MS });
  const worker = spawnScript(WORKER, { ...ground.env, AI_API_KEY: 'bench', AI_MODEL: 'slow', AI_API_URL: ai.url });
  try {
    await forgetEverything(ground.db);
    const minutes = (await syncOnce(ground.db, queue, userId)) / 60_000;
    const [pace, allowed] = [CONVERSATIONS / minutes, POOL * (60_000 / ANSWER_MS)];
    print(
      `AI answers after ${ANSWER_MS} ms: ${Math.round(pace)} conversations a minute, the pool of ${POOL} allows ${allowed}`,
    );
    print(`ratio: ${(pace / allowed).toFixed(2)} (at least 0.8)`);
  } finally {
    worker.kill('SIGKILL');
    await ai.stop();
  }
}

async function sessionOf({ db, env }: Ground, userId: string): Promise<string> {
  const { id, credentials } = await db('messenger_accounts').where({ user_id: userId }).first();
  return createCipher([Buffer.from(env.ENCRYPTION_KEY ?? '', 'base64')]).decrypt(credentials, credentialsContext(id));
}

async function forgetEverything(db: Db): Promise<void> {
  await db('digests').delete();
  await db('dialogs').delete();
}

/** Milliseconds from the job's start to its end, as the service itself notes them. */
async function syncOnce(db: Db, queue: Queue, userId: string): Promise<number> {
  const { jobId } = await triggerSync({ db, queue, clock: systemClock }, { userId });
  for (;;) {
    const job = await db('sync_jobs').where({ id: jobId }).first();
    if (job.state === 'completed' && job.digests_created === CONVERSATIONS) return job.finished_at - job.started_at;
    if (job.finished_at) throw new Error(`the sync ended ${job.state} with ${job.digests_created} digests`);
    await sleep(50);
  }
}

async function syncAll(db: Db, queue: Queue, userIds: string[]): Promise<number> {
  const started = performance.now();
  await Promise.all(userIds.map(userId => syncOnce(db, queue, userId)));
  return (performance.now() - started) / 1000;
}

async function readBare({ env }: Ground, session: string): Promise<number> {
  const child = spawn(process.execPath, ['bench/sync/bare.ts'], {
    env: { ...process.env, ...env, SESSION: session, POOL: String(POOL) },
  });
  let printed = '';
  for await (const chunk of child.stdout) printed += chunk;
  if (!/^\d+\n$/.test(printed)) throw new Error('the bare script did not finish');
  return Number(printed);
}

/** The highest resident size the process ever had. */
function peakMegabytes(pid: number): number {
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
  const [, kilobytes] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
