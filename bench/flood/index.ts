import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fasterLimits, REPORTED_LIMITS } from '../../sandbox/messenger/floods.ts';
import type { MessengerSandbox } from '../../sandbox/messenger/server.ts';
import type { World } from '../../sandbox/messenger/world.ts';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, connectAll, startMessenger } from '../support/messenger.ts';

/*
 * Syncs of one account at a messenger that floods as the real one is reported to: the first one, one with nothing new, one
 * after some conversations moved, and the first one of the next day, which lists all conversations. Every sync must end
 * without an error, every message must be in one digest, and the newest conversations must be on Today first. The
 * messenger's clock, with its windows and waits, runs `--scale` times faster (at most 30): slow enough that the service
 * could read more than the messenger takes. `--messages` is what it takes in a window.
 *
 *   node bench/flood/index.ts
 *   node bench/flood/index.ts --conversations 200 --messages 600 --scale 20
 */

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '1000' },
    scale: { type: 'string', default: '5' },
    messages: { type: 'string', default: String(REPORTED_LIMITS.historyMessages) },
    delay: { type: 'string', default: '40' },
  },
});
const CONVERSATIONS = Number(values.conversations);
const SCALE = Number(values.scale);
const LIMITS = { ...fasterLimits(SCALE), historyMessages: Number(values.messages) };
/** The newest messages of a conversation that a first sync reads. */
const MOST_READ = 50;
const MOVED = Math.min(20, CONVERSATIONS);
const MINUTES_APART = 15;
/** What a first page of the list has, and a few more. */
const FIRST = 100;

await withGround(async ground => {
  const world = busyAccount();
  const sandbox = await startMessenger(ground, [world], Number(values.delay) / SCALE);
  const [person] = await connectAll(ground, sandbox);
  const userId = person?.userId ?? '';
  await subscribe(ground.db, userId);
  const queue = createQueue({
    ...{ url: ground.url, works: false, pool: 2 },
    log: createLog({ level: 'fatal', name: 'bench' }),
  });
  await queue.start();
  await prepareQueues(queue);
  const worker = spawnScript(['src/worker.ts'], { ...ground.env, LOG_LEVEL: 'fatal' });
  const sync = (name: string) => syncOnce({ db: ground.db, queue, sandbox }, userId, name);
  try {
    sandbox.faults.flood(LIMITS);
    const read = world.dialogs.reduce((sum, { messages }) => sum + Math.min(MOST_READ, messages.length), 0);
    print(`${CONVERSATIONS} conversations, ${read} messages to read; the messenger's clock runs ${SCALE} times faster`);
    await sync('first sync');
    await sync('nothing new');
    for (const { key } of world.dialogs.slice(0, MOVED))
      sandbox.addMessages(world.key, key, [
        { from: Number(key.slice('user:'.length)), text: 'Could you call me back?' },
      ]);
    await sync(`${MOVED} moved`);
    await ground.db('messenger_accounts').update({ all_dialogs_listed_at: new Date(Date.now() - 21 * 3600 * 1000) });
    await sync('the next day');
    const [found] = await ground.db('digests').where({ status: 'COMPLETE' }).sum('message_count as messages');
    print(`${found?.messages} of ${read + MOVED} messages in digests`);
    if (Number(found?.messages) !== read + MOVED) process.exitCode = 1;
  } finally {
    worker.kill('SIGKILL');
    await queue.stop({ graceful: false });
    await sandbox.stop();
  }
});

/** Chats of different lengths over the last days, the first of them the oldest; some archived, a few pinned. */
function busyAccount(): World {
  const world = accountOf(0, CONVERSATIONS, 2 * MOST_READ);
  const now = Math.floor(Date.now() / 1000);
  const dialogs = world.dialogs.map((dialog, n) => {
    const endsAt = now - (CONVERSATIONS - n) * MINUTES_APART * 60;
    const messages = dialog.messages.slice(0, 5 + ((n * 37) % 90));
    const dated = messages.map((message, index) => ({ ...message, date: endsAt - messages.length + index }));
    return { ...dialog, messages: dated, archived: n % 25 === 3, pinned: n % 250 === 9 };
  });
  return { ...world, dialogs };
}

/** A plan without a limit. */
async function subscribe(db: Db, userId: string): Promise<void> {
  const subscription = { user_id: userId, plan: 'ENTERPRISE', status: 'active', subscription_id: 'sub_bench' };
  await db('subscriptions').insert(subscription);
}

type Parts = { db: Db; queue: Queue; sandbox: MessengerSandbox };

async function syncOnce({ db, queue, sandbox }: Parts, userId: string, name: string): Promise<void> {
  const before = sandbox.faults.floods();
  sandbox.resetCalls();
  const started = performance.now();
  const { jobId } = await triggerSync({ db, queue, clock: systemClock }, { userId });
  const watched = await watch(db, jobId, started);
  const seconds = (performance.now() - started) / 1000;
  const floods = sandbox.faults.floods();
  const waits = floods.waits - before.waits;
  const refused = floods.refused - before.refused;
  print(`\n${name}: ${watched.job.state}, ${watched.job.digests_created} digests, ${watched.job.errors.length} errors`);
  print(
    `  ${bothClocks(seconds)}; ${waits} floods, ${refused} calls refused, ${waits * LIMITS.waitSeconds * SCALE} s of waits`,
  );
  print(`  calls: ${callsOf(sandbox)}`);
  const { call_rates: rates } = await db('messenger_accounts').first();
  print(`  learned: ${rateOf(rates)}`);
  if (watched.firstAt !== undefined && watched.shown.length > FIRST) print(`  ${await orderOf(db, watched)}`);
  if (watched.job.state !== 'completed' || watched.job.errors.length > 0) process.exitCode = 1;
}

function bothClocks(seconds: number): string {
  return `${seconds.toFixed(1)} s, ${Math.round(seconds * SCALE)} s by the messenger's clock`;
}

function callsOf(sandbox: MessengerSandbox): string {
  const calls = Object.entries(sandbox.calls()).sort(([a], [b]) => a.localeCompare(b));
  return calls.map(([method, count]) => `${method} ${count}`).join(', ');
}

function rateOf(rates: Record<string, { everyMs: number }>): string {
  const known = Object.entries(rates).map(
    ([kind, { everyMs }]) => `${kind} every ${((everyMs * SCALE) / 1000).toFixed(1)} s of its clock`,
  );
  return known.join(', ') || 'nothing';
}

type Watched = {
  // biome-ignore lint/suspicious/noExplicitAny: a row as it is stored
  job: any;
  /** Seconds until the first digest was stored, and until the first hundred were. */
  firstAt: number | undefined;
  hundredAt: number | undefined;
  /** Conversations in the order in which their digests were stored. */
  shown: string[];
};

async function watch(db: Db, jobId: string, started: number): Promise<Watched> {
  const seen = new Set<string>();
  const watched: Watched = { job: undefined, firstAt: undefined, hundredAt: undefined, shown: [] };
  for (;;) {
    const job = await db('sync_jobs').where({ id: jobId }).first();
    const stored: string[] = await db('digests').where({ status: 'COMPLETE', job_id: jobId }).pluck('dialog_id');
    for (const dialogId of stored.filter(id => !seen.has(id))) {
      seen.add(dialogId);
      watched.shown.push(dialogId);
    }
    const seconds = (performance.now() - started) / 1000;
    if (seen.size > 0) watched.firstAt ??= seconds;
    if (seen.size >= FIRST) watched.hundredAt ??= seconds;
    if (job.finished_at) return { ...watched, job };
    await sleep(100);
  }
}

/** How far down the account's newest conversations the first digests reach. */
async function orderOf(db: Db, { shown, firstAt = 0, hundredAt = 0 }: Watched): Promise<string> {
  const newestFirst: string[] = await db('dialogs').orderBy('last_message_at', 'desc').pluck('id');
  const place = new Map(newestFirst.map((id, n) => [id, n + 1]));
  const middle = (ids: string[]) => ids.map(id => place.get(id) ?? 0).sort((a, b) => a - b)[Math.floor(ids.length / 2)];
  const parts = Array.from({ length: 5 }, (_, n) =>
    middle(shown.slice((n * shown.length) / 5, ((n + 1) * shown.length) / 5)),
  );
  return [
    `first digest after ${bothClocks(firstAt)}; the first ${FIRST} after ${bothClocks(hundredAt)}`,
    `  middle place, by the newest message, of each fifth of the digests: ${parts.join(', ')}`,
  ].join('\n');
}
