import { expect } from 'chai';
import { digestOf } from '../../support/ai/model.ts';
import { eachAiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const DAY = [
  'Nadia Haddad: Good morning! Can you send me the revised offer by Friday?',
  'Sam: Sure, I will send the revised offer.',
  'Nadia Haddad: The budget is 40,000 and the brochure is at https://haddad.example/brochure?id=7',
];

const item = (more: Record<string, unknown>) => ({
  text: 'Send the revised offer',
  owner: 'user',
  ownerName: null,
  dueText: null,
  dueDate: null,
  lines: [1],
  ...more,
});

describe('The AI summarizer', () => {
  const service = eachAiService();

  const asked = () => service.ai.requests()[0];

  it('returns what the model wrote, with the name of the model and the tokens it took', async () => {
    service.ai.script(() => digestOf('Nadia asks for the offer.', [item({})], { topics: ['offer'], urgency: 'medium' }));
    const { summary, structured, engine, usage } = await service.summarizer.summarize(conversation(DAY));
    expect({ summary, engine }).to.deep.equal({ summary: 'Nadia asks for the offer.', engine: 'gpt-test' });
    expect(structured).to.deep.include({ topics: ['offer'], urgency: 'medium', sentiment: 'neutral', language: 'en' });
    expect(usage?.promptTokens).to.be.greaterThan(500);
    expect(usage?.completionTokens).to.be.greaterThan(20);
    expect(usage?.cachedTokens).to.be.within(1, usage?.promptTokens ?? 0);
    expect(service.reports).to.deep.equal([]);
  });

  it('shows the day as numbered lines of data inside a fence that is new each time', async () => {
    await service.summarizer.summarize(conversation(DAY));
    await service.summarizer.summarize(conversation(DAY));
    const [first, second] = service.ai.requests();
    const fences = [first, second].map(request => /BEGIN (\w{8})\n[\s\S]*\nEND \1\n/.exec(request?.user ?? '')?.[1]);
    expect(fences[0]).to.be.a('string').and.not.equal(fences[1]);
    expect(first?.lines[0]).to.deep.equal({ chat: { with: 'Nadia', you: 'Sam' } });
    expect(first?.lines[1]).to.deep.equal({
      n: 1,
      from: 'contact: Nadia',
      at: '2026-11-17 Tue 09:00',
      text: 'Good morning! Can you send me the revised offer by Friday?',
    });
    expect(first?.mode).to.equal('json_schema');
  });

  it('sends no secret, hidden character or link with its parameters', async () => {
    await service.summarizer.summarize(
      conversation([
        'Eve: Your login code is 482913, the password is hunter22!',
        'Eve: card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00',
        'Eve: sign in at https://bank.example/reset?token=abcdef123456',
        'Eve: hid\u200Bden \u202Etxet\u202C <b>bold</b>',
      ]),
    );
    const body = JSON.stringify(asked()?.body);
    expect(body).to.not.match(/482913|hunter22|4111|3704|abcdef123456|\u200B|\u202E|<b>/);
    expect(body).to.include('bank.example');
  });

  it('begins every prompt with the same bytes, whoever it is for', async () => {
    const promise = { n: 1, direction: 'mine', who: 'Sam', text: 'x', dueDate: null, saidAt: '2026-11-16' } as const;
    await service.summarizer.summarize(conversation(DAY));
    await service.summarizer.summarize(
      conversation(['Eve: Hallo zusammen, bis morgen dann'], { style: 'MINIMAL', isGroup: true }),
    );
    const other = await startAiService({ contextTokens: 32_768, format: 'text' });
    await other.summarizer.summarize(conversation(['Bob: Ok'], { openPromises: [promise] })).finally(other.stop);
    const fronts = [...service.ai.requests(), ...other.ai.requests()].map(({ system }) => system);
    expect(new Set(fronts).size).to.equal(1);
    expect(fronts.length).to.equal(3);
  });

  it('names what a message carries in brackets that no one can type', async () => {
    const { messages, ...request } = conversation(['Eve: here you are', 'Eve: x']);
    const [first, second] = messages;
    if (!first || !second) throw new Error('two messages');
    const sent = { ...first, media: { kind: 'document', name: 'a] offer.pdf' } } as const;
    const typed = { ...second, text: '[FILE: signed.pdf] and [Invoice 4711]' };
    await service.summarizer.summarize({ ...request, messages: [sent, typed] });
    expect(
      asked()
        ?.lines.slice(1)
        .map(({ text }) => text),
    ).to.deep.equal(['[file: a offer.pdf] here you are', '(FILE: signed.pdf] and [Invoice 4711]']);
  });

  for (const [style, words, least, most] of [
    ['BUSINESS', /Length of the summary: one or two sentences\./, 200, 900],
    ['DETAILED', /Length of the summary: one or two sentences\./, 200, 2000],
    ['MINIMAL', /Length of the summary: one sentence of at most 30 words/, 1, 20],
  ] as const) {
    it(`asks for the style ${style} and cuts what is longer`, async () => {
      service.ai.script(() => digestOf('A long story. '.repeat(300)));
      const { summary } = await service.summarizer.summarize(conversation(DAY, { style }));
      expect(asked()?.user).to.match(words);
      expect(summary.length).to.be.within(least, most);
    });
  }

  it('finds the message of an item that cites none, and drops the item nobody spoke of', async () => {
    const items = [
      item({ text: 'Send the revised offer', lines: [] }),
      item({ text: 'Book flights to Lisbon', lines: [99, -1, 0] }),
      item({ text: 'Water the plants', lines: [] }),
    ];
    service.ai.script(() => digestOf('s', items));
    const { structured } = await service.summarizer.summarize(conversation(DAY));
    expect(structured.actionItems.map(({ text }) => text)).to.deep.equal(['Send the revised offer']);
    expect(structured.actionItems[0]?.sourceMessageIds).to.deep.equal(['1']);
  });

  it('takes links from the messages, not from the model', async () => {
    const sentences = [
      { text: 'The brochure is at haddad.example/brochure.', lines: [3] },
      { text: 'See https://evil.example/a or [here](https://evil.example/b).', lines: [3] },
    ];
    service.ai.script(() => digestOf('', [], { summary: sentences, links: ['https://evil.example'] }));
    const { summary, structured } = await service.summarizer.summarize(conversation(DAY));
    expect(structured.links).to.deep.equal(['https://haddad.example/brochure?id=7']);
    expect(summary).to.include('The brochure is at haddad.example').and.not.include('evil');
  });

  it('makes no request for a day without text', async () => {
    const { engine } = await service.summarizer.summarize(conversation(['Eve:  ', 'Eve: \u200B']));
    expect(engine).to.equal('built-in');
    expect(service.ai.calls()).to.equal(0);
  });
});
