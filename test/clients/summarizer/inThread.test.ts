import { expect } from 'chai';
import { createThreadedSummarizer, type ThreadOptions } from '../../../src/clients/summarizer/builtIn/inThread.ts';
import { createBuiltInSummarizer } from '../../../src/clients/summarizer/builtIn/summarizer.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { conversation } from './conversations.ts';

const STUCK = new URL('./threads/stuck.ts', import.meta.url);
const COARSE = /only its newest parts were/;
const LONG = 'word '.repeat(6000);
const DAY_MS = 86_400_000;

describe('The summarizer in a thread of its own', () => {
  const made: { close(): Promise<void> }[] = [];
  const summarizer = (options: Partial<ThreadOptions> = {}) => {
    const one = createThreadedSummarizer({ clock: systemClock, ...options });
    made.push(one);
    return one;
  };
  after(() => Promise.all(made.map(one => one.close())));

  it('answers what the built-in one answers', async () => {
    const request = {
      ...conversation(['Nadia: Could you send me the offer by Friday?', 'Sam: Sure, I will send it tomorrow.']),
      openPromises: [
        { n: 1, direction: 'mine', who: null, text: 'Send the plan', dueDate: null, saidAt: '2026-11-16' },
      ],
    } satisfies Parameters<ReturnType<typeof createBuiltInSummarizer>['summarize']>[0];
    const [one, other] = [summarizer(), createBuiltInSummarizer()];
    expect(await one.summarize(request)).to.deep.equal(await other.summarize(request));
    expect(await one.readClosings(request)).to.deep.equal(await other.readClosings(request));
    expect(await one.readWaits(request)).to.deep.equal(await other.readWaits(request));
  });

  it('reads coarsely what holds the thread, says so, and goes on with the others', async () => {
    const one = summarizer({ file: STUCK, longestMs: 500 });
    const [stuck, ordinary] = await Promise.all([
      one.summarize(conversation([`Nadia: ${LONG}`], { owner: 'attacker' })),
      one.summarize(conversation(['Nadia: Hello'], { owner: 'other' })),
    ]);
    expect(stuck.summary)
      .to.match(/^1000 read /)
      .and.to.match(COARSE);
    expect(ordinary.summary).to.equal('5 read');
  });

  it('survives words that fill the memory of the thread', async () => {
    const one = summarizer({ file: STUCK });
    const request = conversation([`Nadia: ${LONG} memory`]);
    expect((await one.summarize(request)).summary).to.match(COARSE);
    const failed = await one.summarize(conversation(['Nadia: memory'])).catch((err: unknown) => err);
    expect(failed).to.include({ service: 'summarizer', kind: 'permanent', code: 'TIMEOUT' });
    expect((await one.summarize(conversation(['Nadia: Hello']))).summary).to.equal('5 read');
  });

  it('reads long days of a user coarsely once the share of the day is used up, until the day is over', async () => {
    let now = Date.now();
    const one = summarizer({ file: STUCK, dayMs: 1000, clock: { now: () => new Date(now) } });
    const long = 'word '.repeat(3000);
    const ask = (owner: string, text = long) =>
      one.summarize(conversation([`Nadia: ${text}`], { owner })).then(({ summary }) => COARSE.test(summary));
    expect([await ask('heavy'), await ask('heavy'), await ask('heavy')]).to.deep.equal([false, false, false]);
    expect(await ask('heavy')).to.equal(true);
    expect(await ask('heavy', 'Hello')).to.equal(false);
    expect(await ask('other')).to.equal(false);
    now += DAY_MS;
    expect(await ask('heavy')).to.equal(false);
  });

  it('reads an ordinary day coarsely as it is, and of a longer one the newest parts', async () => {
    const one = summarizer({ dayMs: 0 });
    const lines = Array.from(
      { length: 50 },
      (_, n) => `Nadia: Order ${n} has arrived and everything is in it. Thanks!`,
    );
    const day = conversation([...lines, 'Nadia: Please send me the invoice by Friday.']);
    expect(await one.summarize(day)).to.deep.equal(await createBuiltInSummarizer().summarize(day));
    const { summary, sentences } = await one.summarize(
      conversation([
        'Nadia: Please call Zoe.',
        `Nadia: ${LONG}`,
        ...Array(12).fill(`Nadia: ${LONG}`),
        ...lines.slice(0, 2),
      ]),
    );
    expect(summary).to.match(COARSE).and.not.to.include('Zoe');
    expect(sentences?.at(-1)?.sourceMessageIds).to.deep.equal([]);
  });

  it('begins nothing for a sync that has ended, and nothing after it was closed', async () => {
    const one = summarizer();
    const request = conversation(['Nadia: Hello']);
    const aborted = await one.summarize(request, { signal: AbortSignal.abort() }).catch((err: unknown) => err);
    expect(aborted).to.include({ kind: 'temporary', code: 'TIMEOUT' });
    await one.close();
    expect(await one.readWaits(request).catch((err: unknown) => err)).to.include({
      kind: 'temporary',
      code: 'TIMEOUT',
    });
  });
});
