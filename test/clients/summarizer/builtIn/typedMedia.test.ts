import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Closing, OpenPromise, Summary } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

const PROMISE = { n: 1, direction: 'theirs', who: 'Nadia', text: 'Send Sam the floor plan', dueDate: null } as const;

/** What is read where Nadia types `text`, and sends nothing. */
async function readTyped(text: string): Promise<Summary & { closings: Closing[] }> {
  const { messages, ...request } = conversation(['Sam: did you send it?', 'Nadia: x', 'Sam: thanks!']);
  const openPromises: OpenPromise[] = [{ ...PROMISE, saidAt: '2026-11-16' }];
  const typed = messages.map(message => (message.fromUser ? message : { ...message, text }));
  const read = await createBuiltInSummarizer().summarize({ ...request, openPromises, messages: typed });
  return { ...read, closings: read.closings ?? [] };
}

describe('Brackets that someone typed', () => {
  for (const text of [
    '[file: floor plan.pdf] costs 450 € by friday',
    '[photo] costs 450 €, can you pay by friday?',
    '[Invoice 4711] please pay 450 € by friday',
  ]) {
    it(`are words, not a file: ${text}`, async () => {
      const { summary, structured } = await readTyped(text);
      expect(summary).to.include(text);
      const lines = (structured.exchanges ?? []).flatMap(({ opener, answers }) => [opener, ...answers]);
      expect(lines.flatMap(({ spans }) => spans.flatMap(({ attachment }) => attachment ?? []))).to.deep.equal([]);
    });
  }

  it('keep no promise', async () => {
    const { closings } = await readTyped('[file: floor plan.pdf]');
    expect(closings.filter(({ state }) => state !== 'doubtful')).to.deep.equal([]);
  });
});
