import { loadConfig } from '../../src/config.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import { queueDailySyncs } from '../../src/features/sync/queueDailySyncs.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { type Ground, print, withGround } from '../support/ground.ts';
import { serverCpuSeconds } from './cpu.ts';
import { addCrowd, makeEverybodyDue } from './crowd.ts';

const FEW = 1000;
const ROUNDS = 3;
const MOST = 1.3;
/** Runs with the few, equally many before and after the many: a machine that gets slower slows both. */
const TIMES_BESIDE = 5;

/** Milliseconds for one user. */
type Cost = { wall: number; cpu: number };
type Crowd = { deps: Deps; users: number };

/** What queueing one user costs among many and among few, in turns, by one worker so that nothing waits for another. */
export async function benchCost(users: number): Promise<void> {
  await withGround(few =>
    withGround(async many => {
      const [small, large] = [await crowdOf(few, FEW), await crowdOf(many, users)];
      const rounds: { few: Cost; many: Cost }[] = [];
      await queueAll(small);
      for (let round = 0; round < ROUNDS; round++) {
        const costs: Cost[] = [];
        for (let time = 0; time < TIMES_BESIDE; time++) costs.push(await queueAll(small));
        const manyCost = await queueAll(large);
        for (let time = 0; time < TIMES_BESIDE; time++) costs.push(await queueAll(small));
        rounds.push({ few: mean(costs), many: manyCost });
      }
      await small.deps.close();
      await large.deps.close();
      report(users, rounds);
    }),
  );
}

async function crowdOf({ env, db }: Ground, users: number): Promise<Crowd> {
  await addCrowd(db, users);
  const deps = await createDeps(loadConfig({ ...env, LOG_LEVEL: 'error' }), 'web');
  await prepareQueues(deps.queue);
  return { deps, users };
}

async function queueAll({ deps, users }: Crowd): Promise<Cost> {
  await makeEverybodyDue(deps.db);
  const [began, cpu, serverCpu] = [performance.now(), process.cpuUsage(), await serverCpuSeconds(deps.db)];
  await queueDailySyncs(deps);
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const spent = (user + system) / 1000 + 1000 * ((await serverCpuSeconds(deps.db)) - serverCpu);
  return { wall: wall / users, cpu: spent / users };
}

function mean(costs: Cost[]): Cost {
  const of = (pick: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + pick(cost), 0) / costs.length;
  return { wall: of(cost => cost.wall), cpu: of(cost => cost.cpu) };
}

function report(users: number, rounds: { few: Cost; many: Cost }[]): void {
  for (const what of ['wall', 'cpu'] as const) {
    const of = (which: 'few' | 'many') => rounds.map(round => round[which][what]);
    const list = (which: 'few' | 'many') =>
      of(which)
        .map(value => value.toFixed(3))
        .join(' ');
    const ratio = Math.min(...of('many')) / Math.min(...of('few'));
    print(`${what === 'wall' ? 'time' : 'CPU'} for a user, ms: of ${FEW} ${list('few')}, of ${users} ${list('many')}`);
    print(`ratio of the least, ${users} / ${FEW}: ${ratio.toFixed(2)} (at most ${MOST})`);
    // The time is also that of whatever else the machine does.
    if (what === 'cpu' && ratio > MOST) process.exitCode = 1;
  }
}
