import { expect } from 'chai';
import type { Habits } from '../../support/ai/habits.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation, from } from './conversations.ts';

const HOUR = 3_600_000;
const MORNING = Date.parse('2026-11-18T07:00:00Z');

/** Says by a code, or by its own count, that a prompt was too long. */
const SURE: [string, Habits][] = [
  ['refuses by a code', { context: 4096 }],
  ['cuts and counts what it read', { context: 4096, overflow: 'dropsFront' }],
];
const IN_WORDS: [string, Habits][] = [
  ['cuts and counts nothing', { context: 4096, overflow: 'dropsFront', counts: 'nothing' }],
  ['refuses in words', { context: 4096, errorBody: ({ message }) => ({ error: message }) }],
];

describe('How much the AI summarizer sends at once', () => {
  let service: AiService;
  let now: number;

  beforeEach(async () => {
    now = MORNING;
    service = await startAiService({ clock: { now: () => new Date(now) } });
  });
  afterEach(() => service.stop());

  /** The requests that a long day takes. */
  async function requestsFor(conversationId: string, author = conversationId): Promise<number> {
    const before = service.ai.calls();
    const lines = Array.from(
      { length: 120 },
      (_, n) => `Nadia: Point ${n}: the delivery to warehouse ${n} is on its way and the papers are signed.`,
    );
    const { engine } = await service.summarizer.summarize(
      conversation(lines, { source: { conversation: conversationId, author } }),
    );
    expect(engine).to.equal('gpt-test');
    return service.ai.calls() - before;
  }
  const short = () => service.summarizer.summarize(conversation(['Eve: Hello'], { source: from('short') }));

  for (const [how, habits] of [...SURE, ...IN_WORDS]) {
    it(`is remembered for a conversation that day: a server that ${how}`, async () => {
      service.ai.behave(habits);
      const first = await requestsFor('one');
      const second = await requestsFor('one');
      expect(second).to.be.below(first);
      now += 23 * HOUR;
      expect(await requestsFor('one')).to.equal(first);
    });
  }

  for (const [how, habits] of SURE) {
    it(`is less for all after three authors' prompts were too long, until it grows again: a server that ${how}`, async () => {
      service.ai.behave(habits);
      await short();
      const first = await requestsFor('one');
      expect(await requestsFor('two')).to.equal(first);
      await requestsFor('three');
      expect(await requestsFor('four')).to.be.below(first);
      now += 11 * HOUR;
      expect(await requestsFor('five')).to.equal(first);
      service.ai.behave({});
      now += 11 * HOUR;
      expect(await requestsFor('six')).to.equal(1);
    });

    it(`stays the same after three conversations of one author: a server that ${how}`, async () => {
      service.ai.behave(habits);
      await short();
      const first = await requestsFor('one', 'stranger');
      for (const each of ['two', 'three', 'four']) expect(await requestsFor(each, 'stranger')).to.equal(first);
      service.ai.behave({});
      expect(await requestsFor('five')).to.equal(1);
    });
  }

  it('stays the same for all after what others were read whole, however many tokens some signs take', async () => {
    service.ai.behave({ context: 9000 });
    expect(await requestsFor('before')).to.equal(1);
    for (const each of ['one', 'two', 'three']) {
      service.ai.faults.next({ status: 400, code: 'context_length_exceeded', about: 'Eve' });
      const lines = Array.from({ length: 60 }, () => `Eve: ${'😀 '.repeat(20)}`);
      await service.summarizer.summarize(conversation(lines, { source: from(each) }));
    }
    expect(await requestsFor('after')).to.equal(1);
  });

  it('stays the same for all after prompts full of signs that take more tokens than other words', async () => {
    service.ai.behave({ context: 9000 });
    await short();
    for (const signs of ['😀 ', 'ꙮ', '𒀱', '⣿'])
      for (const each of ['one', 'two', 'three']) {
        service.ai.faults.next({ status: 400, code: 'context_length_exceeded', about: 'Eve' });
        const lines = Array.from({ length: 60 }, () => `Eve: ${signs.repeat(20)}`);
        await service.summarizer.summarize(conversation(lines, { source: from(`${each} ${signs}`) }));
      }
    expect(await requestsFor('after')).to.equal(1);
  });

  for (const [how, habits] of IN_WORDS) {
    it(`stays the same for all where only words or a missing code say so: a server that ${how}`, async () => {
      service.ai.behave(habits);
      await short();
      for (const each of ['one', 'two', 'three', 'four']) await requestsFor(each);
      service.ai.behave({});
      expect(await requestsFor('five')).to.equal(1);
    });
  }
});
