import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { triggerSync } from '../../src/features/sync/service.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue } from '../../src/lib/queue.ts';
import { filled, piecesOf, RUNS, repeated } from '../../test/patterns/attackTexts.ts';
import { collectPatterns } from '../../test/patterns/collected.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, connectAll, startMessenger } from '../support/messenger.ts';

/*
 * One user's conversations consist of messages of 4,096 characters that repeat the words and separators of every
 * pattern, 50 per conversation; other users wait behind. Two workers sync them all. Fails when a worker dies, a job
 * does not complete, or the event loop is blocked longer than the limit.
 *
 *   node bench/attack/index.ts --users 6 --conversations 20
 */

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '6' },
    conversations: { type: 'string', default: '20' },
    limit: { type: 'string', default: '200' },
  },
});
const CONVERSATIONS = Number(values.conversations);
const MESSAGES = 50;
/** The attacks that once made a live worker lose its job. */
const KNOWN_ATTACKS = ['kod', 'код', '\n', ' \n'].map(filled);

await withGround(async ground => {
  const { patterns } = await collectPatterns();
  const words = [...new Set(patterns.flatMap(pattern => piecesOf(pattern).words))];
  const texts = [...KNOWN_ATTACKS, ...RUNS, ...words.flatMap((word, at) => repeated(word, at))];
  const worlds = Array.from({ length: Number(values.users) }, (_, n) => accountOf(n, CONVERSATIONS, MESSAGES));
  let next = 0;
  for (const { messages } of worlds[0]?.dialogs ?? []) {
    for (const message of messages) message.text = texts[next++ % texts.length] ?? '';
  }
  const sandbox = await startMessenger(ground, worlds);
  const people = await connectAll(ground, sandbox);
  const queue = createQueue({
    url: ground.url,
    works: false,
    pool: 2,
    log: createLog({ level: 'fatal', name: 'bench' }),
  });
  await queue.start();
  await prepareQueues(queue);

  const file = join(ground.folder, 'loop');
  const probe = new URL('./loopProbe.ts', import.meta.url).href;
  const start = () => spawnScript(['--import', probe, 'src/worker.ts'], { ...ground.env, LOOP_FILE: file });
  const workers = [start(), start()];
  await sleep(12_000);
  writeFileSync(`${file}-begins`, '');
  const started = Date.now();
  for (const { userId } of people) await triggerSync({ db: ground.db, queue, clock: systemClock }, { userId });
  while ((await ground.db('sync_jobs').whereIn('state', ['waiting', 'active'])).length > 0) await sleep(100);

  const jobs = await ground.db('sync_jobs').select('user_id', 'state', 'digests_created', 'finished_at', 'errors');
  const seconds = (job: (typeof jobs)[number]) => ((job.finished_at.getTime() - started) / 1000).toFixed(1);
  for (const job of jobs) {
    const who = job.user_id === people[0]?.userId ? 'attacked' : 'other';
    print(`${who}: ${job.state}, ${job.digests_created} digests, after ${seconds(job)} s, ${job.errors.length} errors`);
  }
  const files = readdirSync(ground.folder).filter(name => name.startsWith('loop.'));
  const held = files.map(name => Number(readFileSync(join(ground.folder, name), 'utf8')));
  const alive = workers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).length;
  print(
    `${Math.min(next, texts.length)} of ${texts.length} texts; event loop held at most ${held.join(' and ')} ms; ${alive} workers alive`,
  );
  const isGood = (job: (typeof jobs)[number]) => job.state === 'completed' && job.digests_created === CONVERSATIONS;
  if (alive < 2 || !jobs.every(isGood) || held.some(ms => ms > Number(values.limit))) process.exitCode = 1;
  for (const worker of workers) worker.kill('SIGTERM');
  await queue.stop({ graceful: false });
  await sandbox.stop();
});
process.exit();
