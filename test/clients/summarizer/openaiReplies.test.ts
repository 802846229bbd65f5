import { expect } from 'chai';
import type { Whole } from '../../support/ai/habits.ts';
import { digestOf } from '../../support/ai/model.ts';
import { eachAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const DAY = conversation(['Eve: The samples have arrived.', 'Sam: I will unpack them.']);
const ITEM = { text: 'Unpack the samples', owner: 'user', ownerName: null, dueText: null, dueDate: null, lines: [2] };
const DIGEST = digestOf('The samples are here.', [ITEM]);

/** The completion with another message, as real servers send it. */
const withMessage = (change: (content: string) => object, reason?: string) => (whole: Whole) => {
  const [choice] = whole.choices;
  const message = { role: 'assistant', ...change(choice.message.content) };
  return { ...whole, choices: [{ ...choice, message, finish_reason: reason ?? choice.finish_reason }] };
};

describe('What the AI summarizer reads in a reply', () => {
  const service = eachAiService();
  beforeEach(() => service.ai.script(() => DIGEST));

  const codes = () => service.reports.map(({ code }) => code);

  for (const [what, writes] of [
    ['a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['polite words', (json: string) => `Here you are!\n${json}\nAnything else?`],
    ['braces before and after', (json: string) => `I use {braces} here: ${json} and {more}`],
    ['a brace that is never closed', (json: string) => `It begins with { and ends: ${json}`],
    ['loud thoughts', (json: string) => `<think>They want {"summary": ...}, so</think>${json}`],
    ['thoughts in other marks', (json: string) => `[THINK]They want {"summary": ...}, so[/THINK]${json}`],
    ['a quoted string', (json: string) => JSON.stringify(json)],
    ['an array', (json: string) => `[${json}]`],
    ['a key around it', (json: string) => `{"digest": ${json}}`],
    ['two objects', (json: string) => `${json}\n${json}`],
    ['a trailing comma', (json: string) => `${json.slice(0, -1)},}`],
    ['a raw line break', (json: string) => json.replace('"topics":[]', '"topics":["a\nb"]')],
  ] as const) {
    it(`is the digest in ${what}, which is reported`, async () => {
      service.ai.behave({ writes });
      const { summary, structured } = await service.summarizer.summarize(DAY);
      expect(summary).to.equal('The samples are here.');
      expect(structured.actionItems).to.have.length(1);
      expect(codes()).to.deep.equal(['AI_REPAIRED_OUTPUT']);
      expect(service.ai.calls()).to.equal(1);
    });
  }

  for (const [what, change] of [
    [
      'a list of thoughts and text',
      (text: string) => ({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text },
        ],
      }),
    ],
    ['reasoning, where the content is empty', (text: string) => ({ content: '', reasoning_content: text })],
    ['reasoning, where there is no content', (text: string) => ({ content: null, reasoning_content: text })],
  ] as const) {
    it(`is the digest in ${what}`, async () => {
      service.ai.behave({ answers: withMessage(change) });
      expect((await service.summarizer.summarize(DAY)).summary).to.equal('The samples are here.');
      expect(codes()).to.deep.equal([]);
    });
  }

  for (const [what, writes] of [
    ['after a sentence', (json: string) => json.slice(0, json.indexOf('"topics"') + 4)],
    ['within an item', (json: string) => json.slice(0, json.indexOf('"owner"'))],
    ['before its last brace', (json: string) => json.slice(0, -1)],
    ['within a fence', (json: string) => `\`\`\`json\n${json.slice(0, -30)}`],
    ['within thoughts', () => '<think>They want {"summary": [{"text": "The samples are here."'],
  ] as const) {
    it(`is no digest where it ends ${what}, whatever the server says, and is not asked for again`, async () => {
      service.ai.behave({ writes });
      const error = await service.summarizer.summarize(DAY).catch(err => err);
      expect(error).to.include({ code: 'AI_BAD_OUTPUT', kind: 'permanent' });
      expect(service.reports).to.deep.equal([{ code: 'AI_BAD_OUTPUT', message: 'answer was cut off' }]);
      expect(service.ai.calls()).to.equal(1);
    });
  }

  it('is asked for again, after a pause, where the server broke off', async () => {
    let calls = 0;
    const broken = withMessage(() => ({ content: null }), 'error');
    service.ai.behave({
      answers: whole => {
        calls += 1;
        return calls === 1 ? broken(whole) : whole;
      },
    });
    const start = performance.now();
    expect((await service.summarizer.summarize(DAY)).engine).to.equal('gpt-test');
    expect(performance.now() - start).to.be.above(700);
    expect(codes()).to.deep.equal(['AI_RETRIED']);
  });

  it('is what fits of an answer that follows the schema only roughly', async () => {
    service.ai.script(() => ({
      summary: ['The samples are here.', { text: 'You unpack them.' }],
      topics: ['samples', 7, null, 'Samples'],
      actionItems: [
        'call Eve',
        { text: 'Unpack the samples', owner: 'You', lines: ['2'], extra: true },
        { owner: 'user', lines: [1] },
      ],
      sentiment: 'Positive',
      urgency: 'LOW',
      dealSignals: ['delivery', 'world domination', 'delivery'],
    }));
    const { summary, structured } = await service.summarizer.summarize(DAY);
    expect(summary).to.equal('The samples are here. You unpack them.');
    expect(structured).to.deep.include({ sentiment: 'positive', urgency: 'low', dealSignals: ['delivery'] });
    expect(structured.topics).to.deep.equal(['samples']);
    expect(structured.actionItems.map(({ text, owner }) => [text, owner])).to.deep.equal([['Unpack the samples', 'user']]);
    expect(codes()).to.deep.equal([]);
  });

  for (const [urgency, ofOpen, ofNone] of [
    ['very high', 'high', 'high'],
    ['URGENT', 'high', 'high'],
    ['высокая', 'medium', 'none'],
    [null, 'medium', 'none'],
    [undefined, 'medium', 'none'],
    ['Low.', 'low', 'low'],
  ] as const) {
    it(`is ${ofOpen} where something is open and the urgency is ${urgency}`, async () => {
      const urgencyOf = async (items: unknown[]) => {
        service.ai.script(() => ({ ...digestOf('The samples are here.', items), urgency }));
        return (await service.summarizer.summarize(DAY)).structured.urgency;
      };
      expect(await urgencyOf([ITEM])).to.equal(ofOpen);
      expect(await urgencyOf([])).to.equal(ofNone);
      expect(JSON.stringify(service.reports)).to.not.match(/hoch|высокая/);
    });
  }

  it('is in the language of the chat, or is asked for again once, then failed', async () => {
    const german = conversation([
      'Jonas: Hallo Sam, wann bekomme ich den Vertrag? Wir brauchen ihn dringend für die Bank.',
      'Sam: Ich schicke dir den Vertrag bis Freitag.',
    ]);
    const english = digestOf(
      'Jonas needs the contract for the bank as soon as possible, and you are going to send it to him by Friday.',
    );
    const own = digestOf('Jonas braucht den Vertrag dringend für die Bank, und du schickst ihn bis Freitag.');
    const answers = [english, own];
    service.ai.script(() => answers.shift());
    expect((await service.summarizer.summarize(german)).summary).to.include('braucht');
    expect(service.ai.requests()[0]?.user).to.match(/^Write in German\.$/m);
    expect(service.ai.requests()[1]?.user).to.include('was not in the language asked for');
    expect(codes()).to.deep.equal(['AI_REPAIRED_OUTPUT']);
    service.ai.script(() => english);
    const error = await service.summarizer.summarize(german).catch(err => err);
    expect(error).to.include({ code: 'AI_BAD_OUTPUT', kind: 'permanent' });
    expect(service.ai.calls()).to.equal(4);
    service.ai.script(() => digestOf('Contract by Friday.'));
    expect((await service.summarizer.summarize(german)).engine, 'too short to tell').to.equal('gpt-test');
  });
});
