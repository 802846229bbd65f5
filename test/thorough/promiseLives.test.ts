import { live } from '../features/promises/fromDigests/lives/life.ts';
import { makeLife, type Step } from '../features/promises/fromDigests/lives/makeLife.ts';
import { type Bench, openBench } from '../features/promises/fromDigests/lives/work.ts';
import { testDatabase } from '../support/database.ts';

const LIVES = 300;
/** Another one lives other lives. */
const FIRST_SEED = Number(process.env.LIVES_SEED ?? 1);
/** Each has a database of its own, since the clean-up of one would reach into the days of another. */
const AT_ONCE = 2;

/** A deadline that a clean-up closes once it is past. */
const PAST: Step[] = [
  {
    ...{ do: 'say', by: 'contact', of: 'contact', answers: false, cites: true },
    ...{ due: 0, kind: 'deadline' },
  },
  { do: 'sync', voice: 'model', seed: 690815, minMessages: 1, limit: 500 },
  { do: 'day', days: 3 },
  { do: 'cleanUp' },
];

describe('A promise', () => {
  let benches: Bench[];

  before(async () => {
    const databases = await Promise.all(Array.from({ length: AT_ONCE }, testDatabase));
    benches = await Promise.all(databases.map(({ db }) => openBench(db)));
  });

  for (const action of ['undo', 'reopen'] as const) {
    it(`stays open after its day once its person took back that it is over: ${action}`, async () => {
      await live(benches[0] as Bench, [...PAST, { do: 'decide', pick: 0, action }, { do: 'cleanUp' }]);
    });
  }

  it('that was shown never disappears in any of hundreds of lives of a conversation', async () => {
    const seeds = Array.from({ length: LIVES }, (_, at) => FIRST_SEED + at);
    await Promise.all(benches.map(one => liveAll(one, seeds)));
  });

  /** Takes the next seed from the list until none is left. */
  async function liveAll(one: Bench, seeds: number[]): Promise<void> {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const steps = makeLife(seed);
      await live(one, steps).catch(cause => {
        throw new Error(`seed ${seed}: ${cause}, in the steps ${JSON.stringify(steps)}`, { cause });
      });
    }
  }
});
