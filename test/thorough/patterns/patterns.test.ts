import { expect } from 'chai';
import { piecesOf, RUNS, repeated } from './attackTexts.ts';
import { type Collected, collectPatterns } from './collected.ts';
import { DATE_READERS, DAY_READERS, ENTRY_POINTS } from './entryPoints.ts';
import { stepsOf } from './steps.ts';
import { superLinear } from './superLinear.ts';

/** Milliseconds of this thread's own time, so that a busy machine fails no test. */
const ONE_MESSAGE = 100;
const ONE_DAY = 2500;
/** Of a day, in one turn of the event loop. */
const ONE_STEP = 200;
const LIMITS = { longest: ONE_STEP, whole: ONE_DAY };

function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Those that take too long twice: the first time may pay for compiling. */
function slow(limit: number, texts: Iterable<string>, read: (text: string) => unknown): string[] {
  return [...texts].flatMap(text => {
    if (timeOf(() => read(text)) <= limit) return [];
    const time = timeOf(() => read(text));
    return time > limit ? [`${JSON.stringify(text.slice(0, 40))}: ${Math.round(time)} ms`] : [];
  });
}

describe('The patterns of the product', () => {
  let collected: Collected;
  let words: string[];
  let told: string[];

  before(async () => {
    collected = await collectPatterns();
    words = [...new Set(collected.patterns.flatMap(pattern => piecesOf(pattern).words))];
    told = toldBy();
  });

  it('are found, those that are compiled as well', () => {
    expect(collected.unseen, 'new RegExp that nothing reached: let readEverything() reach it').to.deep.equal([]);
    expect(collected.patterns.length).to.be.greaterThan(800);
    expect(words).to.include.members(['password', 'please', 'ignore', 'завтра']);
  });

  it('take a time linear in the text', () => {
    const bad = collected.patterns.flatMap(pattern => superLinear(pattern).map(reason => `${pattern.at}: ${reason}`));
    expect(bad).to.deep.equal([]);
  });

  for (const [name, read] of Object.entries({ ...ENTRY_POINTS, ...DATE_READERS })) {
    it(`let no message hold up the reader: ${name}`, () => {
      expect(slow(ONE_MESSAGE, [...RUNS, ...told], read)).to.deep.equal([]);
    });
  }

  for (const name of Object.keys(DAY_READERS)) {
    it(`let no day of 500 such messages hold up the event loop: ${name}`, async () => {
      const texts = [...RUNS, ...told];
      const days = ['', ' ', '\n'].map(separator =>
        Array.from({ length: 500 }, (_, at) => texts[(at * 7) % texts.length] + separator),
      );
      const steps = await stepsOf(name, days, LIMITS);
      expect(steps).to.have.length(days.length);
      for (const { longest, whole } of steps) {
        expect(longest).to.be.lessThan(ONE_STEP);
        expect(whole).to.be.lessThan(ONE_DAY);
      }
    });
  }

  /** Every twentieth word, and all that secrets, instructions and days are told by. */
  function toldBy(): string[] {
    const telling = collected.patterns.filter(({ at }) => /masking|instructions|cleaning|links|dueDates/.test(at));
    const theirs = new Set(telling.flatMap(pattern => piecesOf(pattern).words));
    return [...theirs, ...words.filter((word, at) => at % 20 === 0 && !theirs.has(word))].flatMap((word, at) =>
      repeated(word, at),
    );
  }
});
