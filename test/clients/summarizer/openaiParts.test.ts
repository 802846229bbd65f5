import { expect } from 'chai';
import type { SeenRequest } from '../../support/ai/chatRequest.ts';
import { type Habits, promptTokens, SERVERS } from '../../support/ai/habits.ts';
import { honestModel } from '../../support/ai/model.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const LONG_DAY = conversation(
  Array.from({ length: 160 }, (_, index) => {
    const words = `Point ${index + 1}: the delivery to warehouse ${index + 1} is on its way and the papers are signed.`;
    return index === 100 ? 'Nadia: Please sign the papers of warehouse one hundred by Friday.' : `Nadia: ${words}`;
  }),
);
const SHORT_DAY = conversation(['Nadia: The samples have arrived.']);
const SMALL = 4096;

const numbersIn = (request: SeenRequest) => request.lines.flatMap(({ n }) => (typeof n === 'number' ? [n] : []));

describe('Long days of the AI summarizer', () => {
  let service: AiService;

  afterEach(() => service.stop());

  it('are read in parts, each message in one, and told as one day', async () => {
    service = await startAiService({ contextTokens: SMALL });
    const { summary, structured, usage } = await service.summarizer.summarize(LONG_DAY);
    const requests = service.ai.requests();
    const parts = requests.slice(0, -1).map(numbersIn);
    expect(parts.length).to.be.within(2, 5);
    expect(parts.flat().sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 160 }, (_, index) => index + 1));
    expect(requests.at(-1)?.lines.filter(line => 'part' in line)).to.have.length(parts.length);
    expect(summary).to.match(/^Nadia: Point 1: /);
    expect(structured.actionItems.map(({ sourceMessageIds }) => sourceMessageIds)).to.deep.equal([['101']]);
    expect(usage?.cachedTokens).to.be.greaterThan(100 * requests.length);
  });

  for (const [name, habits] of Object.entries<Habits>(SERVERS)) {
    it(`fit into the context that is configured, and short days cost one request: ${name}`, async () => {
      service = await startAiService({
        contextTokens: SMALL,
        ...(name.includes('without json_schema') && { format: 'json_object' }),
      });
      service.ai.behave({ ...habits, context: SMALL });
      service.ai.script(request => {
        expect(promptTokens(request)).to.be.below(SMALL * 0.75);
        return honestModel(request);
      });
      expect((await service.summarizer.summarize(LONG_DAY)).engine).to.equal('gpt-test');
      const before = service.ai.calls();
      expect((await service.summarizer.summarize(SHORT_DAY)).engine).to.equal('gpt-test');
      expect(service.ai.calls()).to.equal(before + 1);
    });
  }
});
