import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import getPort from 'get-port';
import { agree } from '../../src/features/assistants/service.ts';
import { createToken } from '../../src/features/assistants/tokens/service.ts';
import { NOTHING_YET } from '../../src/features/digests/schema.ts';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { lineNamed, readProcfile } from '../../src/lib/procfile.ts';
import { createQueue, type Queue } from '../../src/lib/queue.ts';
import { type Ground, median, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';
import { accountOf, connectAll, startMessenger } from '../support/messenger.ts';
import type { Begin, Told } from './sessions.ts';

/*
 * A sync alone and beside assistants that read and change promises through /mcp, in turns: half of them those of the user
 * whose sync it is, the others those of other users. At any moment of the sync each is in a session of its own. Between
 * two calls a model reads the result and thinks, which `--think` says in milliseconds. Fails when the sync takes more than
 * 1.1 times as long beside them, or when one of their calls fails.
 *
 *   node bench/assistants/index.ts
 *   node bench/assistants/index.ts --pairs 2 --sessions 10 --think 0
 */

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10' },
    sessions: { type: 'string', default: '50' },
    think: { type: 'string', default: '2000' },
    conversations: { type: 'string', default: '250' },
  },
});
const PAIRS = Number(values.pairs);
const SESSIONS = Number(values.sessions);
const THINK_MS = Number(values.think);
const CONVERSATIONS = Number(values.conversations);
const [MESSAGES, DELAY_MS] = [19, 40];
const OTHERS = 5;
const [DAYS, OPEN_PROMISES] = [30, 2000];
const MOST = 1.1;
const { web, worker } = { web: commandOf('web'), worker: commandOf('worker') };

type Parts = { ground: Ground; queue: Queue; assistants: ChildProcess; begin: Begin; userIds: string[] };

await withGround(async ground => {
  const worlds = Array.from({ length: 1 + OTHERS }, (_, n) => accountOf(n, n === 0 ? CONVERSATIONS : 40, MESSAGES));
  const sandbox = await startMessenger(ground, worlds, DELAY_MS);
  const people = await connectAll(ground, sandbox);
  const userIds = people.map(({ userId }) => userId);
  const log = createLog({ level: 'fatal', name: 'bench' });
  const queue = createQueue({ url: ground.url, works: false, pool: 2, log });
  await queue.start();
  await prepareQueues(queue);
  const port = await getPort({ host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  const limits = { RATE_LIMIT_TOKENS: '1000000', PORT: String(port) };
  const children = [spawnScript(worker, ground.env), spawnScript(web, { ...ground.env, ...limits })];
  const assistants = fork('bench/assistants/sessions.ts');
  try {
    // So that there are conversations to agree to and to have promised something in.
    for (const userId of userIds) await syncOnce(ground.db, queue, userId);
    await untilAnswering(`${url}/healthz`);
    const secrets = await createAssistants(ground.db, userIds);
    await compare({ ground, queue, assistants, userIds, begin: { url, secrets, thinkMs: THINK_MS } });
  } finally {
    for (const child of [...children, assistants]) child.kill('SIGKILL');
    await queue.stop({ graceful: false });
    await sandbox.stop();
  }
});
process.exit();

function commandOf(name: string): string[] {
  return lineNamed(readProcfile('Procfile'), name).args;
}

/** Every other one of the user whose sync is measured. @returns their tokens */
async function createAssistants(db: Db, [first = '', ...others]: string[]): Promise<string[]> {
  const deps = { db, clock: systemClock };
  const secrets: string[] = [];
  for (let n = 0; n < SESSIONS; n++) {
    const userId = n % 2 === 0 ? first : (others[n % others.length] ?? first);
    const form = { id: crypto.randomUUID(), name: `Assistant ${n}`, lifetime: 'never' } as const;
    const made = await createToken(deps, { userId, ...form, scopes: ['assistant', 'promises'] });
    if (!made) throw new Error('no token');
    await agree(deps, { userId, tokenId: made.token.id }, { isPrivate: true, groups: [] });
    secrets.push(made.secret);
  }
  return secrets;
}

async function compare(parts: Parts): Promise<void> {
  const pairs: { alone: number; beside: number; told: Told }[] = [];
  for (let n = 0; n <= PAIRS; n++) {
    const pair = await measurePair(parts, n % 2 === 0);
    // The first one warms everything up.
    if (n > 0) pairs.push(pair);
  }
  const told = pairs.map(pair => pair.told);
  const failures = told.flatMap(one => one.failures);
  const calls = told.flatMap(one => one.calls);
  const ofTools = Map.groupBy(calls, ({ name }) => name);
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const seconds = (kind: 'alone' | 'beside') => (median(pairs.map(pair => pair[kind])) / 1000).toFixed(2);
  const ratios = pairs.map(({ alone, beside }) => beside / alone);
  const ratio = median(ratios);
  const perSecond = calls.length / sum(pairs.map(({ told: { seconds: lasted } }) => lasted));
  print(
    `${SESSIONS} sessions at once: ${calls.length} calls of ${sum(told.map(one => one.sessions))} sessions, ` +
      `${perSecond.toFixed(1)} a second, ${failures.length} failed`,
  );
  for (const [name, of] of ofTools) print(`  ${name}: median ${median(of.map(one => one.milliseconds)).toFixed(0)} ms`);
  for (const failure of new Set(failures)) print(`  ${failure}`);
  print(`a sync of ${CONVERSATIONS} conversations: alone ${seconds('alone')} s, beside them ${seconds('beside')} s`);
  print(
    `ratio beside / alone: ${ratio.toFixed(2)} (at most ${MOST}), of ${ratios.map(one => one.toFixed(2)).join(', ')}`,
  );
  if (ratio > MOST || failures.length > 0) process.exitCode = 1;
}

/** The order alternates, so that neither is always first. */
async function measurePair(parts: Parts, isAloneFirst: boolean) {
  const before = isAloneFirst ? await syncAgain(parts) : undefined;
  await prepare(parts);
  parts.assistants.send(parts.begin);
  // Each is in the middle of its own session by then.
  await sleep(THINK_MS + 500);
  const beside = await syncOnce(parts.ground.db, parts.queue, parts.userIds[0] ?? '');
  parts.assistants.send('end');
  const [told] = (await once(parts.assistants, 'message')) as [Told];
  return { alone: before ?? (await syncAgain(parts)), beside, told };
}

async function syncAgain(parts: Parts): Promise<number> {
  await prepare(parts);
  return syncOnce(parts.ground.db, parts.queue, parts.userIds[0] ?? '');
}

/** The digests of a month, open promises, and messages that are all to be read again. */
async function prepare({ ground: { db }, userIds }: Parts): Promise<void> {
  await db('digests').delete();
  await db('promises').delete();
  await db('dialogs').where({ user_id: userIds[0] }).update({ cursor_message_id: null });
  await db.raw(
    `insert into digests (user_id, dialog_id, digest_date, status, message_count, after_message_id, last_message_id,
       last_message_at, summary, structured, engine)
     select user_id, id, current_date - day, 'COMPLETE', 18, 0, 18, now() - day * interval '1 day',
       'Will send the revised offer by Friday. The pilot in Leeds went well, ' || day || ' sensors are on their way.',
       ?::jsonb, 'built-in'
     from dialogs, generate_series(1, ?::int) day`,
    [JSON.stringify({ ...NOTHING_YET, topics: ['Offer', 'Pilot'] }), DAYS],
  );
  await db.raw(
    `insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, words, due_date, changed_at)
     select user_id, id, 'before-' || n, current_date - 3, current_date - 3, case when n % 3 = 0 then 'theirs' else 'mine' end,
       'Send the offer ' || n, case when n % 4 > 0 then current_date + n % 20 - 10 end, now()
     from dialogs, generate_series(1, ?::int) n`,
    [Math.ceil(OPEN_PROMISES / CONVERSATIONS)],
  );
  await db.raw('vacuum analyze');
}

/** Milliseconds from the job's start to its end, as the service itself notes them. */
async function syncOnce(db: Db, queue: Queue, userId: string): Promise<number> {
  const { jobId } = await triggerSync({ db, queue, clock: systemClock }, { userId });
  for (;;) {
    const job = await db('sync_jobs').where({ id: jobId }).first();
    if (job.state === 'completed' && job.errors.length === 0) return job.finished_at - job.started_at;
    if (job.finished_at) throw new Error(`the sync ended ${job.state} with ${job.digests_created} digests`);
    await sleep(50);
  }
}
