import { expect } from 'chai';
import type { SeenRequest } from '../../support/ai/chatRequest.ts';
import { digestOf } from '../../support/ai/model.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const LONG_DAY = conversation(
  Array.from({ length: 120 }, (_, index) => {
    const words = `Point ${index + 1}: the delivery to warehouse ${index + 1} is on its way and the papers are signed.`;
    return index === 100 ? 'Nadia: Please sign the papers of warehouse one hundred by Friday.' : `Nadia: ${words}`;
  }),
);

const numbersIn = (request: SeenRequest) => request.lines.flatMap(({ n }) => (typeof n === 'number' ? [n] : []));

describe('Long days of the AI summarizer', () => {
  let service: AiService;

  afterEach(() => service.stop());

  it('are read in parts, each message in one, and told as one day', async () => {
    service = await startAiService({ partTokens: 2000 });
    const { summary, structured, usage } = await service.summarizer.summarize(LONG_DAY);
    const requests = service.ai.requests();
    const parts = requests.slice(0, -1).map(numbersIn);
    expect(parts.length).to.be.within(3, 6);
    expect(parts.flat().sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 120 }, (_, index) => index + 1));
    expect(requests.slice(0, -1).every(({ user }) => user.length < 3 * 2000 + 1000)).to.equal(true);
    expect(requests.at(-1)?.lines.filter(line => 'part' in line)).to.have.length(parts.length);
    expect(summary).to.match(/^Nadia: Point 1: /);
    expect(structured.actionItems.map(({ sourceMessageIds }) => sourceMessageIds)).to.deep.equal([['101']]);
    expect(usage?.cachedTokens).to.be.greaterThan(100 * requests.length);
  });

  it('are read in one piece where there is room', async () => {
    service = await startAiService();
    await service.summarizer.summarize(LONG_DAY);
    expect(service.ai.calls()).to.equal(1);
  });

  it('are split further when the service finds them too long', async () => {
    service = await startAiService();
    const code = 'context_length_exceeded';
    service.ai.faults.next({ status: 400, code, message: "This model's maximum context length is …" });
    const { structured } = await service.summarizer.summarize(LONG_DAY);
    expect(structured.actionItems).to.have.length(1);
    expect(service.ai.requests().map(request => numbersIn(request).length > 0)).to.deep.equal([
      true,
      true,
      true,
      false,
    ]);
    expect(service.ai.requests().every(({ mode }) => mode === 'json_schema')).to.equal(true);
  });

  it('are left to the built-in summarizer when no piece is small enough', async () => {
    service = await startAiService();
    service.ai.faults.always({ status: 400, code: 'context_length_exceeded' });
    expect(await service.summarizer.summarize(LONG_DAY)).to.include({ engine: 'built-in' });
    expect(service.reports.at(-1)?.code).to.equal('AI_CONTEXT_TOO_SMALL');
    expect(service.ai.calls()).to.be.lessThan(30);
  });

  it('fail as a whole when one part fails, without further requests', async () => {
    service = await startAiService({ partTokens: 600 });
    service.ai.script(() => digestOf('s'));
    service.ai.faults.next({ kind: 'refusal' });
    service.ai.faults.delay(50);
    const error = await service.summarizer.summarize(LONG_DAY).catch(err => err);
    expect(error).to.include({ code: 'AI_BAD_OUTPUT' });
    const calls = service.ai.calls();
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(service.ai.calls()).to.be.within(calls, calls + 2);
  });

  it('keep every message when one of them is a book', async () => {
    service = await startAiService();
    const lines = Array.from({ length: 300 }, (_, index) => `Eve: ${index} ${'the story goes on '.repeat(400)}`);
    await service.summarizer.summarize(conversation(lines));
    const read = service.ai.requests().flatMap(numbersIn);
    expect(read.length).to.equal(300);
    const size = service.ai.requests().reduce((sum, { user }) => sum + user.length, 0);
    expect(size).to.be.lessThan(300_000);
  });
});
