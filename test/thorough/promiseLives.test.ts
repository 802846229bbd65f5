import { randomScenario, runScenario } from '../features/promises/fromDigests/lives/life.ts';
import { type Bench, openBench } from '../features/promises/fromDigests/lives/work.ts';
import { testDatabase } from '../support/database.ts';

const LIVES = 300;
/** Another one lives other lives. */
const FIRST_SEED = Number(process.env.LIVES_SEED ?? 1);
/** Each has a database of its own, since the clean-up of one would reach into the days of another. */
const AT_ONCE = 2;

describe('A promise', () => {
  let benches: Bench[];

  before(async () => {
    const databases = await Promise.all(Array.from({ length: AT_ONCE }, testDatabase));
    benches = await Promise.all(databases.map(({ db }) => openBench(db)));
  });

  it('that was shown never disappears in any of hundreds of lives of a conversation', async function () {
    this.timeout(1_800_000);
    const seeds = Array.from({ length: LIVES }, (_, at) => FIRST_SEED + at);
    await Promise.all(benches.map(one => liveAll(one, seeds)));
  });

  /** Takes the next seed from the list until none is left. */
  async function liveAll(one: Bench, seeds: number[]): Promise<void> {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const steps = randomScenario(seed);
      await runScenario(one, steps).catch(cause => {
        seeds.length = 0;
        throw new Error(`seed ${seed}: ${cause}, in the steps ${JSON.stringify(steps)}`, { cause });
      });
    }
  }
});
