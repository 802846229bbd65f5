import { expect } from 'chai';
import { digestOf } from '../../support/ai/model.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const DAY = conversation(['Eve: The samples have arrived.']);

describe('The AI summarizer with less capable servers', () => {
  let service: AiService;

  beforeEach(async () => {
    service = await startAiService();
  });
  afterEach(() => service.stop());

  const modes = () => service.ai.requests().map(({ mode }) => mode);

  for (const [mode, refused, takes] of [
    ['json_schema', 0, ['json_schema', 'text']],
    ['json_object', 1, ['json_object', 'text']],
    ['text', 2, ['text']],
  ] as const) {
    it(`finds out once that a server supports ${mode}`, async () => {
      service.ai.behave({ takes });
      for (let day = 0; day < 3; day += 1) await service.summarizer.summarize(DAY);
      expect(modes()).to.deep.equal([mode, mode, mode]);
      // Each mode that it doesn't support was tried twice: the second time without a word of the conversation.
      expect(service.ai.calls()).to.equal(3 + 2 * refused);
      expect(service.reports).to.deep.equal([]);
    });
  }

  it('falls back for a server with its own error format', async () => {
    service.ai.behave({ takes: ['json_object'], errorBody: () => ({ detail: 'Failed to deserialize the JSON body' }) });
    await service.summarizer.summarize(DAY);
    await service.summarizer.summarize(DAY);
    expect(modes()).to.deep.equal(['json_object', 'json_object']);
  });

  it('falls back only for a request whose words a mode stumbles over', async () => {
    service.ai.faults.always({ status: 400, inMode: 'json_schema', about: 'Eve' });
    await service.summarizer.summarize(DAY);
    const probe = service.ai.requests().at(-1);
    expect(probe).to.include({ mode: 'json_schema' });
    expect(JSON.stringify(probe)).to.not.match(/Eve|samples/);
    await service.summarizer.summarize(conversation(['Nadia: Hello']));
    await service.summarizer.summarize(DAY);
    expect(modes().slice(3)).to.deep.equal(['json_schema', 'json_schema', 'json_object']);
  });

  it('finds out after an hour that a server supports more', async () => {
    await service.stop();
    let now = new Date('2026-11-18T07:00:00Z');
    service = await startAiService({ clock: { now: () => now } });
    service.ai.behave({ takes: ['json_object'] });
    await service.summarizer.summarize(DAY);
    service.ai.behave({});
    await service.summarizer.summarize(DAY);
    now = new Date(now.getTime() + 3_700_000);
    await service.summarizer.summarize(DAY);
    expect(modes()).to.deep.equal(['json_object', 'json_object', 'json_schema']);
  });

  it('does not fall back when a request failed in every mode, and alerts the operator', async () => {
    service.ai.faults.next({ status: 400, message: 'no', times: 3 });
    const error = await service.summarizer.summarize(DAY).catch(err => err);
    expect(error).to.include({ code: 'AI_BAD_OUTPUT', kind: 'permanent' });
    expect(service.reports.map(({ code }) => code)).to.deep.equal(['AI_REFUSED_REQUEST']);
    await service.summarizer.summarize(DAY);
    expect(modes()).to.deep.equal(['json_schema', 'json_object', 'text', 'json_schema']);
  });

  it('does not fall back because of a filter', async () => {
    service.ai.faults.next({ status: 400, code: 'content_filter', message: 'filtered' });
    const error = await service.summarizer.summarize(DAY).catch(err => err);
    expect(error).to.include({ code: 'AI_BAD_OUTPUT' });
    expect(modes()).to.deep.equal(['json_schema']);
  });

  for (const [what, wrap] of [
    ['a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['polite words', (json: string) => `Here you are!\n${json}\nAnything else?`],
    ['loud thoughts', (json: string) => `<think>They want {"summary": ...}, so</think>${json}`],
    ['thoughts in other marks', (json: string) => `[THINK]They want {"summary": ...}, so[/THINK]${json}`],
    ['a quoted string', (json: string) => JSON.stringify(json)],
    ['an array', (json: string) => `[${json}]`],
    ['two objects', (json: string) => `${json}\n${json}`],
    ['a trailing comma', (json: string) => `${json.slice(0, -1)},}`],
    ['a raw line break', (json: string) => json.replace('[]', '["a\nb"]')],
  ] as const) {
    it(`extracts the JSON from ${what} and reports it`, async () => {
      service.ai.script(({ code }) => wrap(JSON.stringify({ ...digestOf('The samples are here.'), code })));
      const { summary } = await service.summarizer.summarize(DAY);
      expect(summary).to.equal('The samples are here.');
      expect(service.reports.map(({ code }) => code)).to.deep.equal(['AI_REPAIRED_OUTPUT']);
      expect(service.ai.calls()).to.equal(1);
    });
  }

  it('uses what fits of an answer that follows the schema only roughly', async () => {
    const rough = {
      summary: '  The samples are here. ',
      topics: ['samples', 7, null, 'Samples'],
      actionItems: [
        'call Eve',
        { text: 'Unpack the samples', owner: 'USER', lines: ['1'], extra: true },
        { owner: 'user', lines: [1] },
      ],
      sentiment: 'Positive',
      urgency: 'LOW',
      dealSignals: ['delivery', 'world domination', 'delivery'],
    };
    service.ai.script(() => rough);
    const { summary, structured } = await service.summarizer.summarize(DAY);
    expect(summary).to.equal('The samples are here.');
    expect(structured).to.deep.include({ sentiment: 'positive', urgency: 'low', dealSignals: ['delivery'] });
    expect(structured.topics).to.deep.equal(['samples']);
    expect(structured.actionItems.map(({ text, owner }) => [text, owner])).to.deep.equal([
      ['Unpack the samples', 'user'],
    ]);
    expect(service.reports).to.deep.equal([]);
  });
});
