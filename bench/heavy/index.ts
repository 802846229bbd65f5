import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { World } from '../../sandbox/messenger/world.ts';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { lineNamed, readProcfile } from '../../src/lib/procfile.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import { type Ground, print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, connectAll, type Person, startMessenger } from '../support/messenger.ts';

/*
 * One user whose conversations are full of new words, as many and as long as the messenger and the plan STARTER allow,
 * beside ten ordinary ones, in one worker as the Procfile starts it. Fails when the ordinary users' first syncs take more
 * than 1.5 times as long as without the heavy user, when a sync fails, or when the worker dies.
 *
 *   node bench/heavy/index.ts
 *   node bench/heavy/index.ts --conversations 300 --users 10 --rounds 2
 */

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '300' },
    users: { type: 'string', default: '10' },
    delay: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '1' },
  },
});
const HEAVY = Number(values.conversations);
const HEAVY_MESSAGES = 15;
const LONGEST = 4096;
const [ORDINARY, ORDINARY_MESSAGES] = [30, 20];
const MOST_TIMES = 1.5;
const WORKER = lineNamed(readProcfile('Procfile'), 'worker').args;

const SYLLABLES = [...'bdfgklmnprstvz'].flatMap(first => [...'aeiou'].map(second => first + second));
const SMALL = ['the', 'please', 'and', 'with', 'to'];
let coined = 0;

/** A word that no one has written before. */
function newWord(): string {
  let rest = (++coined * 48_271) % 24_010_000;
  let word = '';
  for (let n = 0; n < 4; n++) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

function newWords(): string {
  let text = '';
  for (let n = 1; text.length < LONGEST; n++) {
    text += `${n % 5 === 0 ? SMALL[(n / 5) % SMALL.length] : newWord()}${n % 12 === 0 ? '.' : ''} `;
  }
  return text.slice(0, LONGEST);
}

function heavyAccount(): World {
  const world = accountOf(0, HEAVY, HEAVY_MESSAGES);
  for (const message of world.dialogs.flatMap(({ messages }) => messages)) message.text = newWords();
  return world;
}

type Parts = { ground: Ground; queue: Queue };

/** A worker that is started again when it dies, as a supervisor does. */
function superviseWorker({ env }: Ground): { deaths: () => number; peakMegabytes: () => number; stop: () => void } {
  let [deaths, peak, isStopped] = [0, 0, false];
  let child: ChildProcess;
  const start = () => {
    child = spawnScript(WORKER, { ...env, LOG_LEVEL: 'fatal' });
    child.once('exit', () => {
      if (isStopped) return;
      deaths += 1;
      start();
    });
  };
  start();
  // What the kernel says was the most.
  const watch = setInterval(() => {
    const status = child.exitCode === null ? statusOf(child.pid) : '';
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 500);
  return {
    deaths: () => deaths,
    peakMegabytes: () => Math.round(peak),
    stop() {
      isStopped = true;
      clearInterval(watch);
      child.kill('SIGKILL');
    },
  };
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

type Round = {
  seconds: number;
  all: number;
  deaths: number;
  peak: number;
  failed: number;
  digests: number;
  coarse: number;
};

/** @param heavy undefined: without the heavy user */
async function runRound({ ground, queue }: Parts, people: Person[], heavy: Person | undefined): Promise<Round> {
  const { db } = ground;
  for (const table of ['digests', 'dialogs', 'sync_jobs']) await db(table).delete();
  const worker = superviseWorker(ground);
  try {
    await sleep(8_000);
    const trigger = ({ userId }: Person) => triggerSync({ db, queue, clock: systemClock }, { userId });
    if (heavy) {
      await trigger(heavy);
      await untilDigests(db, heavy.userId, 5);
    }
    const begun = performance.now();
    await Promise.all(people.map(trigger));
    await untilDone(db, people);
    const seconds = (performance.now() - begun) / 1000;
    if (heavy) await untilDone(db, [heavy]);
    const failed = await db('sync_jobs').whereNot({ state: 'completed' });
    const ofHeavy = await db('digests').where({ user_id: heavy?.userId ?? people[0]?.userId, status: 'COMPLETE' });
    return {
      ...{ seconds, all: (performance.now() - begun) / 1000, deaths: worker.deaths(), peak: worker.peakMegabytes() },
      ...{ failed: failed.length, digests: ofHeavy.length, coarse: ofHeavy.filter(isCoarse).length },
    };
  } finally {
    worker.stop();
    await sleep(1_000);
  }
}

/** Its summary says that it was not read in full. */
function isCoarse({ summary }: { summary: string }): boolean {
  return summary.includes('too much to read in full');
}

async function untilDigests(db: Db, userId: string, count: number): Promise<void> {
  while ((await db('digests').where({ user_id: userId, status: 'COMPLETE' })).length < count) await sleep(100);
}

async function untilDone(db: Db, people: Person[]): Promise<void> {
  const ids = people.map(({ userId }) => userId);
  while ((await db('sync_jobs').whereIn('user_id', ids).whereNull('finished_at')).length > 0) await sleep(100);
}

await withGround(async ground => {
  const users = Number(values.users);
  const others = Array.from({ length: users }, (_, n) => accountOf(n + 1, ORDINARY, ORDINARY_MESSAGES));
  const sandbox = await startMessenger(ground, [heavyAccount(), ...others], Number(values.delay));
  const [heavy, ...people] = await connectAll(ground, sandbox);
  const queue = createQueue({
    ...{ url: ground.url, works: false, pool: 2 },
    log: createLog({ level: 'fatal', name: 'bench' }),
  });
  await queue.start();
  await prepareQueues(queue);
  print(
    `${users} users with ${ORDINARY} conversations each; one with ${HEAVY}, ${HEAVY_MESSAGES} messages of ${LONGEST} characters`,
  );
  for (let n = 0; n < Number(values.rounds); n++) {
    const without = await runRound({ ground, queue }, people, undefined);
    print(`without the heavy user: ${without.seconds.toFixed(1)} s, worker at most ${without.peak} MB`);
    const beside = await runRound({ ground, queue }, people, heavy);
    print(`beside the heavy user:  ${beside.seconds.toFixed(1)} s, worker at most ${beside.peak} MB`);
    print(
      `  the heavy user's own: ${beside.digests} digests, ${beside.coarse} read coarsely, after ${beside.all.toFixed(0)} s`,
    );
    const times = beside.seconds / without.seconds;
    print(`  ${times.toFixed(2)} times as long (at most ${MOST_TIMES}), ${beside.deaths} workers died`);
    if (times > MOST_TIMES || beside.deaths + beside.failed + without.failed > 0) process.exitCode = 1;
  }
  await queue.stop({ graceful: false });
  await sandbox.stop();
});
process.exit();
