import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/config.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import { queueDailySyncs } from '../../src/features/sync/queueDailySyncs.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { lineNamed, readProcfile } from '../../src/lib/procfile.ts';
import { type Ground, print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, startMessenger } from '../support/messenger.ts';
import { addAccounts, keysOf } from './accounts.ts';
import { cpuSeconds, serverCpuSeconds } from './cpu.ts';
import { countOf } from './crowd.ts';

const DELAY_MS = 40;
const CONVERSATIONS = 20;
const MESSAGES = 4;
const WARM_UP = 40;
/** How many workers, and which share of all syncs they do. */
const STAGES = [
  { workers: 1, share: 0.25 },
  { workers: 2, share: 0.25 },
  { workers: 4, share: 0.5 },
];
const WORKER = lineNamed(readProcfile('Procfile'), 'worker').args;

type Outcome = { workers: number; syncs: number; seconds: number; cpu: { workers: number; other: number } };

/** Daily syncs in which one of 20 conversations changed, by one, two and four workers. */
export async function benchSyncs(syncs: number): Promise<void> {
  await withGround(async ground => {
    const worlds = Array.from({ length: syncs + STAGES.length * WARM_UP }, (_, n) =>
      accountOf(n, CONVERSATIONS, MESSAGES),
    );
    const keys = keysOf(ground, worlds);
    const sandbox = await startMessenger(ground, worlds, DELAY_MS);
    const waiting = await addAccounts(ground, worlds, keys);
    const deps = await createDeps(loadConfig({ ...ground.env, LOG_LEVEL: 'error' }), 'web');
    await prepareQueues(deps.queue);
    try {
      const outcomes: Outcome[] = [];
      for (const { workers, share } of STAGES) {
        const users = waiting.splice(0, Math.round(syncs * share) + WARM_UP);
        outcomes.push(await withWorkers(ground, workers, pids => syncAll(deps, users, pids)));
      }
      outcomes.forEach(report);
      compare(outcomes);
      await verdict(deps, syncs + STAGES.length * WARM_UP);
    } finally {
      await deps.close();
      await sandbox.stop();
    }
  });
}

async function withWorkers<T>(ground: Ground, count: number, use: (pids: number[]) => Promise<T>): Promise<T> {
  const workers = Array.from({ length: count }, () => spawnScript(WORKER, { ...ground.env, LOG_LEVEL: 'error' }));
  try {
    while ((await countOf(ground.db, 'select count(*) from worker_heartbeats')) < count) await sleep(100);
    return await use(workers.map(({ pid }) => pid ?? 0));
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await ground.db('worker_heartbeats').delete();
  }
}

async function syncAll(deps: Deps, users: string[], pids: number[]): Promise<Outcome> {
  await syncDaily(deps, users.slice(0, WARM_UP));
  const measured = users.slice(WARM_UP);
  const cpuOfWorkers = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const cpuOfOthers = async () =>
    process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + (await serverCpuSeconds(deps.db));
  const [workers, other] = [cpuOfWorkers(), await cpuOfOthers()];
  const seconds = await syncDaily(deps, measured);
  const cpu = { workers: cpuOfWorkers() - workers, other: (await cpuOfOthers()) - other };
  return { workers: pids.length, syncs: measured.length, seconds, cpu };
}

/**
 * Lets the daily syncs of these users begin now, all at once. Returns the seconds from the first start to the last end.
 */
async function syncDaily(deps: Deps, users: string[]): Promise<number> {
  const { db } = deps;
  await db('sync_configs')
    .whereIn('user_id', users)
    .update({ next_sync_at: db.raw('now()'), next_sync_day: db.raw('current_date') });
  await queueDailySyncs(deps, { spreadSeconds: 0 });
  const open = () => countOf(db, `select count(*) from sync_jobs where state in ('waiting', 'active')`);
  while ((await open()) > 0) await sleep(250);
  const { rows } = await db.raw(
    `select count(*) as jobs, extract(epoch from max(finished_at) - min(started_at)) as seconds
     from sync_jobs where user_id = any(?)`,
    [users],
  );
  if (Number(rows[0].jobs) !== users.length) throw new Error(`${rows[0].jobs} of ${users.length} syncs were queued`);
  return Number(rows[0].seconds);
}

function report({ workers, syncs, seconds, cpu }: Outcome): void {
  const perHour = (3600 * syncs) / seconds;
  const [own, other] = [(1000 * cpu.workers) / syncs, (1000 * cpu.other) / syncs];
  print(
    `${workers} ${workers === 1 ? 'worker' : 'workers'}: ${syncs} syncs in ${seconds.toFixed(1)} s, ` +
      `${Math.round(perHour)} an hour, ${Math.round(perHour / workers)} each`,
  );
  print(
    `  CPU a sync: workers ${own.toFixed(0)} ms, database and sandbox ${other.toFixed(0)} ms; ` +
      `${((cpu.workers + cpu.other) / seconds).toFixed(2)} of ${availableParallelism()} cores used, ` +
      `the machine’s load ${loadavg()[0]?.toFixed(1)}`,
  );
}

function compare(outcomes: Outcome[]): void {
  const [one] = outcomes;
  if (!one) return;
  const pace = ({ syncs, seconds }: Outcome) => syncs / seconds;
  const growth = outcomes.map(outcome => `${(pace(outcome) / pace(one)).toFixed(2)} with ${outcome.workers}`);
  const cost = outcomes.map(
    ({ cpu, syncs, workers }) => `${((1000 * cpu.workers) / syncs).toFixed(0)} with ${workers}`,
  );
  print(`growth against one worker: ${growth.join(', ')}; CPU of the workers for a sync, ms: ${cost.join(', ')}`);
  print(
    `The workers share ${availableParallelism()} cores with the database and the sandbox, whose own work a real messenger ` +
      `would do elsewhere. As long as a sync costs the workers no more CPU when there are more of them, ` +
      `more cores mean more syncs: a core has room for ${Math.round((3600 * one.syncs) / one.cpu.workers)} an hour.`,
  );
}

async function verdict({ db }: Deps, expected: number): Promise<void> {
  const facts = {
    'users without a completed sync':
      expected - (await countOf(db, `select count(distinct user_id) from sync_jobs where state = 'completed'`)),
    'syncs with an error or not one digest': await countOf(
      db,
      `select count(*) from sync_jobs where errors <> '[]' or digests_created <> 1`,
    ),
    'users without exactly one complete digest of 4 messages': await countOf(
      db,
      `select count(*) from users where 1 <> (select count(*) from digests where user_id = users.id)
         or not exists (select 1 from digests where user_id = users.id and status = 'COMPLETE' and message_count = ${MESSAGES})`,
    ),
  };
  for (const [what, times] of Object.entries(facts)) {
    print(`${String(times).padStart(7)}  ${what}`);
    if (times !== 0) process.exitCode = 1;
  }
}
