import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { changePromises } from '../../src/features/promises/repo.ts';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import { lineTo } from '../../test/support/databaseLine.ts';
import { killBackends } from '../faults/database.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, connectAll, type Person, startMessenger } from '../support/messenger.ts';

/*
 * Two workers sync several users of 250 conversations each, day after day, while one of the two is killed at random
 * moments within work, and promises are ticked meanwhile. At the end every message must be in exactly one digest, every
 * digest be complete and its promises there once, every tick set, no job failed. With --terminations, all connections
 * to the database are killed that often; with --cuts, it is unreachable for two seconds that often. No worker may die
 * of either, and no crash may be counted.
 *
 *   node bench/chaos/index.ts --kills 100
 *   node bench/chaos/index.ts --kills 20 --cuts 5 --failing 0.1
 *   node bench/chaos/index.ts --kills 0 --terminations 50
 */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    cuts: { type: 'string', default: '0' },
    terminations: { type: 'string', default: '0' },
    failing: { type: 'string', default: '0' },
    users: { type: 'string', default: '6' },
    conversations: { type: 'string', default: '250' },
  },
});
const KILLS = Number(values.kills);
const CUTS = Number(values.cuts);
const TERMINATIONS = Number(values.terminations);
const FAILING = Number(values.failing);
const CONVERSATIONS = Number(values.conversations);
const MESSAGES_A_DAY = 4;
const CUT_MS = 2000;
/** Promises that each person ticks at each disturbance. */
const TICKS = 5;

await withGround(async ground => {
  const worlds = Array.from({ length: Number(values.users) }, (_, n) => accountOf(n, CONVERSATIONS, MESSAGES_A_DAY));
  const sandbox = await startMessenger(ground, worlds, 10);
  const people = await connectAll(ground, sandbox);
  if (FAILING > 0) sandbox.faults.always({ share: FAILING, status: 500, message: 'INTERNAL' });
  const line = await lineTo(ground.url);
  const env = { ...ground.env, DATABASE_URL: line.url, LOG_LEVEL: 'fatal' };
  const log = createLog({ level: 'fatal', name: 'bench' });
  const queue = createQueue({ url: ground.url, works: false, pool: 2, log });
  await queue.start();
  await prepareQueues(queue);

  const workers: ChildProcess[] = [];
  let deaths = 0;
  const startWorker = (slot: number) => {
    const worker = spawnScript(['src/worker.ts'], env);
    worker.once('exit', (code, signal) => {
      if (workers[slot] !== worker || signal === 'SIGKILL') return;
      deaths++;
      print(`a worker died unexpectedly (${code ?? signal})`);
      startWorker(slot);
    });
    workers[slot] = worker;
  };
  startWorker(0);
  startWorker(1);

  let days = 0;
  let kills = 0;
  let cuts = 0;
  let terminations = 0;
  let crashes = 0;
  const ticks = new Set<string>();
  const started = Date.now();
  const disturb = async () => {
    for (const { userId } of people) for (const id of await tickSome(ground.db, userId)) ticks.add(id);
    if (terminations < TERMINATIONS) {
      terminations++;
      await killBackends(ground.url);
      // The bench's own connections are killed as well.
      await sleep(200);
    } else if (cuts < CUTS && cuts * KILLS <= kills * CUTS) {
      cuts++;
      line.cut();
      setTimeout(() => void line.restore().catch(() => undefined), CUT_MS);
    } else if (kills < KILLS) {
      kills++;
      const slot = Math.random() < 0.5 ? 0 : 1;
      workers[slot]?.kill('SIGKILL');
      startWorker(slot);
    }
  };
  while (kills < KILLS || cuts < CUTS || terminations < TERMINATIONS || days === 0) {
    if (days > 0) nextDay(sandbox, worlds);
    if (days > 0) await moveDigestsBack(ground.db);
    days++;
    for (const { userId } of people) await triggerSync({ db: ground.db, queue, clock: systemClock }, { userId });
    while (!(await allDone(ground.db))) {
      await sleep(200 + Math.random() * 1800);
      if (KILLS === 0) crashes += await countCrashes(ground.db);
      if (await isWorking(ground.db)) await disturb();
    }
    print(
      `day ${days}: ${kills} kills, ${cuts} cuts, ${terminations} terminations, ${Math.round((Date.now() - started) / 1000)} s`,
    );
  }
  for (const worker of workers) worker.kill('SIGKILL');
  await verdict(ground.db, people, days, {
    'workers died by themselves': deaths,
    'crashes counted': crashes,
    'ticks lost': await countLost(ground.db, ticks),
  });
  print(`${ticks.size} promises ticked`);
  await stop(queue, line, sandbox);
});

async function stop(queue: Queue, line: { close(): void }, sandbox: { stop(): Promise<void> }) {
  await queue.stop({ graceful: false });
  line.close();
  await sandbox.stop();
}

function nextDay(sandbox: Awaited<ReturnType<typeof startMessenger>>, worlds: ReturnType<typeof accountOf>[]) {
  for (const { key, dialogs, owner } of worlds) {
    for (const dialog of dialogs) {
      const peer = Number(dialog.key.split(':')[1]);
      const messages = Array.from({ length: MESSAGES_A_DAY }, (_, n) => ({
        from: n % 2 ? owner.id : peer,
        text: `Could you confirm number ${n} by tomorrow? The contract is ready.`,
      }));
      sandbox.addMessages(key, dialog.key, messages);
    }
  }
}

/** A process always has today's date, so the digests are dated back instead. */
async function moveDigestsBack(db: Db): Promise<void> {
  await db.raw(`update digests set digest_date = digest_date - 1000`);
  await db.raw(`update digests set digest_date = digest_date + 999`);
  await db.raw(`update promises set first_said_on = first_said_on - 1, last_said_on = last_said_on - 1`);
}

/** As a person does while a sync writes. */
async function tickSome(db: Db, userId: string): Promise<string[]> {
  const ids = await db('promises').where({ user_id: userId, state: 'open' }).limit(TICKS).pluck('id');
  const now = new Date();
  const asked = { userId, ids, today: now.toISOString().slice(0, 10), now };
  const changed = await changePromises(db, asked, { move: 'done' });
  return changed.map(({ promise }) => promise.id);
}

async function countLost(db: Db, ticks: ReadonlySet<string>): Promise<number> {
  const done = await db('promises').where({ state: 'done' }).pluck('id');
  return ticks.size - done.filter(id => ticks.has(id)).length;
}

async function allDone(db: Db): Promise<boolean> {
  return (await db('sync_jobs').whereIn('state', ['waiting', 'active'])).length === 0;
}

/** Counts crashes, of which there should be none. */
async function countCrashes(db: Db): Promise<number> {
  return (await db('digests').where('crashes', '>', 0)).length;
}

/** Whether a sync holds a connection to the messenger. */
async function isWorking(db: Db): Promise<boolean> {
  return (await db('digests').where({ in_work: true }).limit(1)).length > 0;
}

async function verdict(db: Db, people: Person[], days: number, seen: Record<string, number>): Promise<void> {
  const count = async (sql: string) => Number((await db.raw(sql)).rows[0].count);
  const conversations = people.length * CONVERSATIONS;
  const facts = {
    ...seen,
    'jobs not completed': await count(`select count(*) from sync_jobs where state <> 'completed'`),
    'errors in results': await count(`select count(*) from sync_jobs where errors <> '[]'`),
    'digests not complete': await count(`
      select count(*) from digests cross join lateral digest_status(digests.id, digests.status) as derived
      where derived.status <> 'COMPLETE' or summary = ''`),
    'digests missing': conversations * days - (await count('select count(*) from digests')),
    'messages missing':
      conversations * days * MESSAGES_A_DAY - (await count('select sum(message_count) as count from digests')),
    'digests overlapping': await count(`select count(*) from digests a join digests b on a.dialog_id = b.dialog_id
      and a.id < b.id and a.after_message_id < b.last_message_id and b.after_message_id < a.last_message_id`),
    'items without their promise': await count(`select count(*) from digests
      cross join lateral jsonb_path_query(structured, 'lax $.actionItems[*]') as item
      where not exists (select from promises p where p.dialog_id = digests.dialog_id and p.item_id = item ->> 'id')`),
    'promises doubled': await count(`select count(*) from (select from promises where state = 'open'
      group by dialog_id, direction, words, due_date having count(*) > 1) as doubled`),
    'results that count wrong': await count(
      `select count(*) from sync_jobs where digests_created <> ${CONVERSATIONS} or dialogs_processed <> ${CONVERSATIONS}`,
    ),
  };
  for (const [what, n] of Object.entries(facts)) print(`${String(n).padStart(6)}  ${what}`);
  print(`${conversations * days} digests of ${conversations * days * MESSAGES_A_DAY} messages expected`);
  if (Object.values(facts).some(n => n !== 0)) process.exitCode = 1;
}
