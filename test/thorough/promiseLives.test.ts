import { expect } from 'chai';
import { errorOf, shrink } from '../features/promises/fromDigests/lives/life.ts';
import { makeLife, type Step } from '../features/promises/fromDigests/lives/makeLife.ts';
import { type Bench, openBench } from '../features/promises/fromDigests/lives/work.ts';
import { testDatabase } from '../support/database.ts';

const LIVES = 300;
/** Another one lives other lives. */
const FIRST_SEED = Number(process.env.LIVES_SEED ?? 1);
/** Each has a database of its own, since the clean-up of one would reach into the days of another. */
const AT_ONCE = 2;

const sync = (voice: 'builtIn' | 'model' | 'german', seed: number): Step => {
  return { do: 'sync', voice, seed, minMessages: 1, limit: 500 };
};
const rewrite = (voice: 'builtIn' | 'model' | 'german', seed: number): Step => ({
  do: 'rewrite',
  pick: 0,
  voice,
  seed,
});
const undo: Step = { do: 'decide', pick: 0, action: 'undo', days: 1 };
const said: Extract<Step, { do: 'say' }> = {
  do: 'say',
  by: 'contact',
  of: ['contact'],
  answers: false,
  cites: true,
  due: null,
  kind: 'promise',
};

/** The least steps of lives in which it did not hold. */
const FOUND: Record<string, Step[]> = {
  'is not two where a writer in another language does not know whose it is': [
    { ...said, of: ['contact', 'user'], due: 3 },
    sync('builtIn', 552607),
    { ...said, answers: true, due: 2, kind: 'appointment' },
    { ...said, by: 'user' },
    rewrite('model', 570881),
  ],
  'is not opened again where a writer in another language also says what it answers': [
    { ...said, by: 'user', of: ['user', 'user'], answers: true, due: 3 },
    sync('model', 518884),
    { do: 'close', pick: 0.005, by: 'contact', state: 'cancelled' },
    { ...sync('builtIn', 191843), minMessages: 4 } as Step,
    sync('german', 153329),
  ],
  'is not two where its person wrote whose it is, and another writer says otherwise': [
    { ...said, by: 'user', of: ['user'] },
    sync('builtIn', 2),
    { do: 'edit', pick: 0, field: 'side' },
    rewrite('german', 241015),
  ],
  'stays open after its day once its person took back that it is over': [
    { ...said, due: 0, kind: 'deadline' },
    sync('model', 690815),
    { do: 'day', days: 3 },
    { do: 'cleanUp' },
    undo,
    { do: 'cleanUp' },
  ],
  'stays open after its day once its person opened it again': [
    { ...said, due: 0, kind: 'deadline' },
    sync('model', 690815),
    { do: 'day', days: 3 },
    { do: 'cleanUp' },
    { ...undo, action: 'reopen' },
    { do: 'cleanUp' },
  ],
};

describe('A promise', () => {
  let benches: Bench[];

  before(async () => {
    const databases = await Promise.all(Array.from({ length: AT_ONCE }, testDatabase));
    benches = await Promise.all(databases.map(({ db }) => openBench(db)));
  });

  const bench = () => benches[0] as Bench;

  for (const [name, steps] of Object.entries(FOUND)) {
    it(name, async () => expect(await errorOf(bench(), steps)).to.equal(undefined));
  }

  it('that was shown never disappears in any of hundreds of lives of a conversation', async function () {
    this.timeout(1_800_000);
    const seeds = Array.from({ length: LIVES }, (_, at) => FIRST_SEED + at);
    await Promise.all(benches.map(one => liveAll(one, seeds)));
  });

  /** Takes the next seed from the list until none is left. */
  async function liveAll(one: Bench, seeds: number[]): Promise<void> {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const steps = makeLife(seed);
      if (!(await errorOf(one, steps))) continue;
      seeds.length = 0;
      const least = await shrink(one, steps);
      throw new Error(`seed ${seed}: ${least.error}, in the steps ${JSON.stringify(least.steps)}`, {
        cause: least.error,
      });
    }
  }
});
