import { expect } from 'chai';
import { idsOf } from '../../../../src/clients/summarizer/builtIn/actionItems.ts';
import { NO_KEY_LINES } from '../../../../src/clients/summarizer/builtIn/excerpt/renderExcerpt.ts';
import { createBuiltInSummarizer, readAll } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { conversation, TUESDAY } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();
const summarize = (lines: string[], change: Partial<SummaryRequest> = {}) =>
  summarizer.summarize(conversation(lines, change));

const RENEWAL = [
  'Nadia Haddad: Hi Sam, our subscription renewal is due on 30 November. Could you send the new quote by Thursday?',
  "Sam: Hi Nadia! Sure, I'll have it in your inbox tomorrow morning.",
  'Nadia Haddad: Great. The board asked whether the 15% discount still applies if we move to 40 seats.',
  'Sam: It does, as long as we sign the contract before the end of the month.',
  "Nadia Haddad: Perfect. Let's have a call on Wednesday at 10:30. I'll invite Omar from procurement.",
  'Sam: Works for me. Did you get the security questionnaire I sent last week?',
  'Nadia Haddad: Not yet, could you resend it please?',
  'Sam: Just sent it again. See https://docs.example/questionnaire.',
  'Nadia Haddad: Thanks, got it! Who will be our contact after Julia leaves?',
];

/** What the message with this id says. */
const saidIn = (id: number) => RENEWAL[id - 1]?.replace(/^[^:]+: /, '');

describe('the built-in summarizer', () => {
  it('makes the summary shorter or longer with the style', async () => {
    const [minimal, business, detailed] = await Promise.all(
      (['MINIMAL', 'BUSINESS', 'DETAILED'] as const).map(async style => (await summarize(RENEWAL, { style })).summary),
    );
    expect(minimal?.length).to.be.below(business?.length ?? 0);
    expect(business?.length).to.be.at.most(detailed?.length ?? 0);
  });

  it('finds what is open, whose it is, when it is due and where it was said', async () => {
    const { actionItems } = (await summarize(RENEWAL)).structured;
    expect(actionItems.map(({ text, request }) => [text, request?.words ?? null])).to.deep.equal([
      [saidIn(2), saidIn(1)],
      [saidIn(5), null],
      [saidIn(6), saidIn(5)],
      [saidIn(9), null],
    ]);
    expect(actionItems.map(({ id: _, request: __, text: ___, ...item }) => item)).to.deep.equal([
      {
        owner: 'user',
        ownerName: 'Sam',
        dueDate: '2026-11-19',
        dueText: 'by Thursday',
        dueTime: null,
        sourceMessageIds: ['1', '2'],
      },
      {
        owner: 'contact',
        ownerName: 'Nadia',
        dueDate: null,
        dueText: null,
        dueTime: null,
        sourceMessageIds: ['5'],
      },
      {
        owner: 'user',
        ownerName: 'Sam',
        dueDate: '2026-11-18',
        dueText: 'on Wednesday at 10:30',
        dueTime: '10:30',
        kind: 'appointment',
        sourceMessageIds: ['5', '6'],
      },
      {
        owner: 'user',
        ownerName: 'Sam',
        dueDate: null,
        dueText: null,
        dueTime: null,
        sourceMessageIds: ['9'],
      },
    ]);
  });

  it('tells topics, urgency, meetings, deal signals, links and language', async () => {
    const { structured } = await summarize(RENEWAL);
    expect(structured.topics).to.include('security questionnaire').and.to.have.length.within(1, 3);
    expect(structured.urgency).to.equal('medium');
    expect(structured.meetings).to.deep.equal([
      { text: "Let's have a call on Wednesday at 10:30.", date: '2026-11-18' },
    ]);
    expect(structured.dealSignals).to.include.members(['discount', 'contract', 'renewal']);
    expect(structured.links).to.deep.equal(['https://docs.example/questionnaire']);
    expect(structured.language).to.equal('en');
  });

  it('gives an action item the same id when the day is rewritten with more messages', async () => {
    const [before, after] = [
      await summarize(RENEWAL),
      await summarize([...RENEWAL, 'Sam: The weather is lovely here.']),
    ];
    const idOf = new Map(before.structured.actionItems.map(({ text, id }) => [text, id]));
    const again = after.structured.actionItems.filter(({ text }) => idOf.has(text));
    expect(again).to.have.length.above(1);
    expect(again.map(({ id }) => id)).to.deep.equal(again.map(({ text }) => idOf.get(text)));
    expect(again[0]?.id).to.match(/^[0-9a-f]{16}$/);
  });

  it('gives two commitments of one sentence ids of their own, which they keep when one of them is done', async () => {
    const promised = [
      'Nadia Haddad: Hi Sam, how are you?',
      "Sam: Fine. I'll send you the bio this week, and I'll show you the slides on 4 December.",
    ];
    const ids = async (lines: string[]) => {
      const { commitments } = await readAll(conversation(lines));
      return commitments.filter(({ kind }) => kind === 'promise').map(commitment => idsOf(commitments).get(commitment));
    };
    const [both, after] = [await ids(promised), await ids([...promised, 'Sam: The bio is sent.'])];
    expect(new Set(both)).to.have.property('size', 2);
    expect(after).to.deep.equal(both);
  });

  it('gives the same answer for the same request', async () => {
    expect(await summarize(RENEWAL)).to.deep.equal(await summarize(RENEWAL));
  });

  it('names the speakers of a group, and owners only where somebody is spoken to', async () => {
    const lines = [
      'Maria Silva: The landing page is ready for review.',
      'Tom Becker: Sam, can you send the press list by Thursday?',
      'Maria Silva: @Tom can you upload the screenshots today?',
      "Priya Nair: I can't make the call tomorrow.",
      "Maria Silva: Who is paying the designer's invoice?",
    ];
    const { summary, structured } = await summarize(lines, { isGroup: true, peerName: 'Launch team' });
    expect(summary).to.match(/Maria|Tom/);
    expect(structured.actionItems.map(({ owner, ownerName }) => [owner, ownerName])).to.deep.equal([
      ['user', 'Sam'],
      ['unknown', null],
    ]);
  });

  it('has an honest sentence for no messages and for almost none', async () => {
    expect((await summarize([])).summary).to.equal(NO_KEY_LINES);
    const { summary, structured } = await summarize(['Ann: hi', 'Sam: hello', 'Ann: ok']);
    expect(summary).to.equal(NO_KEY_LINES);
    expect(structured.actionItems).to.deep.equal([]);
  });

  it('closes what was sent, done or refused on the same day, and what is past its day', async () => {
    const day = 24 * 60 * 60 * 1000;
    const request = conversation([
      'Ann: Can you check the figures tonight?',
      'Ann: Can you send me the floor plan?',
      'Sam: [file: plan.pdf] Here it is.',
      'Ann: Could you book the hotel, please?',
      "Sam: I'm afraid not, I am away.",
      'Sam: I will confirm the date of the workshop.',
    ]);
    const messages = request.messages.map((message, index) =>
      index === 0 ? { ...message, sentAt: new Date(TUESDAY.getTime() - day) } : message,
    );
    const { structured } = await summarizer.summarize({ ...request, messages });
    expect(structured.actionItems.map(({ text }) => text)).to.deep.equal(['I will confirm the date of the workshop.']);
  });

  it('tells the last day of several, not the first', async () => {
    const request = conversation([
      'Ann: The warehouse in Leipzig wants to order forty more sensors for the cold rooms.',
      'Sam: Forty sensors for the cold rooms in Leipzig can be delivered in a month.',
      'Ann: The auditors found a gap in the temperature report of Hall 7.',
      'Sam: The gap in the report of Hall 7 comes from a broken power supply.',
    ]);
    const messages = request.messages.map((message, index) =>
      index < 2 ? { ...message, sentAt: new Date(TUESDAY.getTime() - 3 * 86_400_000) } : message,
    );
    const { summary } = await summarizer.summarize({ ...request, messages, style: 'MINIMAL' });
    expect(summary).to.include('Hall 7');
  });

  it('never throws, whatever it is given', async () => {
    const odd = [
      '\u0000\u202E',
      '💥'.repeat(3000),
      '????',
      '\uD800 lone',
      '[[[',
      'a'.repeat(50_000),
      '（',
      '99/99/9999 by 31.02.',
      '<'.repeat(9000),
      '1'.repeat(9000),
      ' .. '.repeat(2000),
      "'".repeat(5000),
    ];
    const messages = odd.flatMap((text, id) => [
      { id, sentAt: new Date(Number.NaN), fromUser: false, senderName: text, text, forwarded: true },
      { id, sentAt: TUESDAY, fromUser: true, senderName: '', text: `can you send ${text}?`, forwarded: false },
    ]);
    for (const style of ['BUSINESS', 'DETAILED', 'MINIMAL'] as const) {
      const request = {
        peerName: '\u202E',
        userName: '',
        isGroup: style === 'DETAILED',
        messages,
        style,
        timezone: 'Nowhere/At_All',
      };
      const { summary, structured } = await summarizer.summarize(request);
      expect(summary.length).to.be.within(1, 1200);
      expect(structured.actionItems.length).to.be.at.most(12);
      for (const { text } of structured.actionItems) expect(text.length).to.be.at.most(200);
    }
  });

  it('does not start when already aborted', async () => {
    const error = await summarizer
      .summarize(conversation(RENEWAL), { signal: AbortSignal.abort() })
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ name: 'ClientError', code: 'TIMEOUT' });
  });
});
