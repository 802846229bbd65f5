import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { OpenPromise, SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();
const read = (lines: string[], change: Partial<SummaryRequest> = {}) => summarizer.summarize(conversation(lines, change));

const after = (moment: Date, days: number) => new Date(moment.getTime() + days * 86_400_000);

const QUOTE = [
  'Nadia: morning sam, did the samples arrive?',
  'Sam: yes, both boxes, thanks!',
  'Nadia: great. can you send me the signed offer by friday?',
  "Sam: sure, i'll send you the offer on friday",
  'Nadia: perfect 👍',
  'Nadia: how was your weekend btw',
  'Sam: lovely, we went to the lake',
];

describe('The built-in summarizer', () => {
  it('quotes what binds, whose it is, and until when', async () => {
    const { structured } = await read(QUOTE);
    const [item, ...others] = structured.actionItems;
    expect(others).to.have.length(0);
    expect(item).to.include({ owner: 'user', ownerName: 'Sam', dueDate: '2026-11-20' });
    expect(item?.text).to.equal("sure, i'll send you the offer on friday");
    expect(item?.sourceMessageIds).to.include('4');
  });

  it('takes the earliest of several deadlines after the present day', async () => {
    const dayOf = async (...lines: string[]) => (await read(lines)).structured.actionItems[0]?.dueDate;
    const asked = 'Nadia: Before Friday I need from you in writing: the price for 1,100. By Thursday please';
    expect(await dayOf(asked)).to.equal('2026-11-19');
    expect(await dayOf(asked.replace('Friday', 'Wednesday'))).to.equal('2026-11-19');
  });

  it('takes for the hour of a promise none of an earlier sentence', async () => {
    const dueOf = async (line: string) => (await read(['Nadia: and the cake?', line])).structured.actionItems[0];
    const booked = await dueOf("Sam: Booked for 15 people, 13:00, by the river. I'll pick up the cake on Saturday");
    expect(booked).to.include({ dueDate: '2026-11-21', dueTime: null });
    expect(await dueOf("Sam: I'll pick up the cake on Saturday at 11:00")).to.include({ dueTime: '11:00' });
    expect(await dueOf("Sam: Yes, it's ordered. I'll send you a photo before 15:00")).to.include({ dueTime: '15:00' });
  });

  it('takes an hour for one of the day that was named last before it', async () => {
    const { structured } = await read(['Nadia: coffee tomorrow?', 'Sam: yes. at 3 then?', 'Nadia: at 3 works. see you']);
    expect(structured.actionItems[0]).to.include({ dueDate: '2026-11-18', dueTime: '15:00' });
  });

  it('takes another day or hour that an answer proposes', async () => {
    for (const [asked, day, hour] of [
      ['Can we have a call tomorrow?', 'Tomorrow is hard. Friday at 12:00?', 'ok, but make it 13:00'],
      ['Können wir morgen telefonieren?', 'Morgen ist schwierig. Freitag um 12 Uhr?', 'Gern, lieber um 13 Uhr'],
      ['On peut se parler demain ?', 'Demain c’est compliqué. Vendredi à 12h ?', 'Oui, plutôt à 13h'],
    ]) {
      const { structured } = await read([`Nadia: ${asked}`, `Sam: ${day}`, `Nadia: ${hour}`]);
      expect(structured.actionItems[0], asked).to.include({ dueDate: '2026-11-20', dueTime: '13:00' });
    }
    const taken = await read(['Nadia: Bitte die Zeichnungen bis Donnerstag', 'Sam: Bin auf der Messe, kommt Montag']);
    const [item, ...others] = taken.structured.actionItems;
    expect([item?.text, item?.dueDate, others]).to.deep.equal(['Bin auf der Messe, kommt Montag', '2026-11-23', []]);
  });

  it('shows no request that was only said before a promise, and is about something else', async () => {
    const lines = ['Nadia: he has been, the crown is on its way', 'Sam: ok. the invoice i send you on thursday'];
    expect((await read(lines)).structured.actionItems[0])
      .to.include({ owner: 'user' })
      .and.not.have.property('request');
  });

  it('asks the user for what the other side needs', async () => {
    const ownerOf = async (line: string) => (await read([line])).structured.actionItems[0]?.owner;
    expect(await ownerOf('Nadia: I need from you by Thursday: 1. the list of shareholders, 2. the loan agreement')).to.equal(
      'user',
    );
    expect(await ownerOf('Nadia: Send me the plan, I need to finish it by Friday')).to.equal('user');
    for (const line of [
      'I need to send you the offer by Friday',
      'necesito enviarte la factura el viernes',
      'мне нужно отправить тебе договор до пятницы',
      'Ich brauche noch bis Freitag, dann schicke ich den Vertrag',
    ])
      expect(await ownerOf(`Nadia: ${line}`), line).to.equal('contact');
  });

  it('lists what was promised days ago as long as its day is to come', async () => {
    const itemsAfter = async (days: number, last = 'Sam: good to hear') => {
      const messages = conversation([...QUOTE, 'Nadia: the lift works again', last]).messages.map((message, at) =>
        at < QUOTE.length ? message : { ...message, sentAt: after(message.sentAt, days) },
      );
      return (await read([], { messages })).structured.actionItems.map(({ text }) => text);
    };
    expect(await itemsAfter(2)).to.deep.equal(["sure, i'll send you the offer on friday"]);
    expect(await itemsAfter(6)).to.deep.equal([]);
    expect(await itemsAfter(2, 'Sam: [file: offer.pdf]')).to.deep.equal([]);
    expect(await itemsAfter(2, 'Nadia: [file: offer.pdf]')).to.have.length(1);
  });

  it('shows an exchange, a request with what became of it, and leaves small talk and halves of signs out', async () => {
    const file = `Sam: here is the signed offer [file: ${'x'.repeat(47)}👍${'y'.repeat(30)}.pdf]`;
    expect(JSON.stringify(await read([...QUOTE.slice(0, 3), file])))
      .to.include('…yyy')
      .and.not.match(/\\ud/);
    const { summary } = await read(QUOTE);
    expect(summary).to.match(/great\. can you send me the signed offer by friday\?\n↳ Sam: sure/);
    expect(summary).to.not.include('lake');
  });

  it('shows what ended an earlier matter, however short, as the greater news than what is to be done next', async () => {
    const { summary, structured } = await read([
      'Nadia: SIGNED ✍️🎉 Check your mail!',
      'Sam: I just screamed in the office. THANK YOU Nadia!',
      'Nadia: Now the work: kick-off call on Friday at 10, you, me and the three depot managers? I send the invite. Please prepare a rollout plan per depot by then',
      "Sam: Yes. I'll bring the plan and Tim, who leads the installation.",
    ]);
    expect(summary).to.include('SIGNED');
    const [first] = structured.keptLines?.toSorted((one, other) => other.score - one.score) ?? [];
    expect(first?.text).to.include('SIGNED');
    // The request alone names the day of the promise.
    expect(structured.actionItems.at(-1)?.request?.words).to.include('call on Friday at 10');
    const calm = await read(['Nadia: how was your weekend btw', 'Sam: lovely, we went to the lake']);
    expect(structured.news).to.be.above(100);
    expect(calm.structured.news).to.be.below(60);
  });

  it('keeps up to 24 lines of a long day for search, and shows at most the style’s exchanges', async () => {
    const lines = Array.from(
      { length: 60 },
      (_, at) => `${at % 2 ? 'Sam' : 'Nadia'}: ${QUOTE[2 + (at % 2)]?.slice(7)} no ${at}`,
    );
    const most = { MINIMAL: 4, BUSINESS: 8, DETAILED: 16 };
    for (const style of ['MINIMAL', 'BUSINESS', 'DETAILED'] as const) {
      const { structured } = await read(lines, { style });
      expect(structured.exchanges).to.have.length.within(1, most[style]);
      expect(structured.keptLines).to.have.length(24);
    }
  });

  it('answers nothing for a day without words', async () => {
    const { summary, structured } = await read([]);
    expect(summary).to.equal('No key lines in these messages.');
    expect(structured).to.deep.include({ actionItems: [], topics: [], urgency: 'none', sentiment: 'neutral' });
  });

  it('shows no secret, not even one that only the message before it tells', async () => {
    const { summary, structured } = await read([
      'Nadia: the password for the portal is',
      'Nadia: hunter22!',
      'Nadia: thanks',
    ]);
    expect(`${summary}${JSON.stringify(structured.keptLines)}`).to.not.include('hunter22');
  });
});

const OFFER: OpenPromise = {
  n: 1,
  direction: 'mine',
  who: 'Sam',
  text: "i'll send you the signed offer on friday",
  dueDate: '2026-11-16',
  saidAt: '2026-11-13',
  authors: [{ name: 'Sam Porter', fromUser: true }],
};
const OTHER: OpenPromise = {
  ...OFFER,
  n: 2,
  direction: 'theirs',
  who: 'Nadia',
  text: 'will pick up the keys from the office',
  authors: [{ name: 'Nadia', fromUser: false }],
};

describe('Open promises, without a model', () => {
  const closingsOf = async (lines: string[], change: Partial<SummaryRequest> = {}) =>
    (await read(lines, { openPromises: [OFFER, OTHER], ...change })).closings ?? [];
  const askedAfter = async (line: string, ...openPromises: OpenPromise[]) =>
    (await closingsOf([line], { openPromises })).map(({ n }) => n).toSorted();

  it('are asked about where who promised sends a file, whatever its words, and not where the other side does', async () => {
    expect(await askedAfter('Sam: [file: Agreement.pdf] In your inbox', OFFER, OTHER)).to.deep.equal([1]);
    expect(await askedAfter('Nadia: [file: Agreement.pdf] In your inbox', OFFER, OTHER)).not.to.include(1);
  });

  it('are asked about all that one file may settle, if their day has come, else about the one that it fits best', async () => {
    const call = { ...OFFER, n: 3, text: 'Please call me on monday before 9' };
    const line = 'Sam: Morning, as just discussed: here is the signed offer [file: offer_signed.pdf]';
    expect(await askedAfter(line, OFFER, call)).to.deep.equal([1, 3]);
    expect(await askedAfter(line, OFFER, { ...call, dueDate: null })).to.deep.equal([1]);
  });

  it('are asked about by their own words, not only by the request that they answer', async () => {
    const request = { words: 'I need half of it before I reserve the drone', messageId: '1', who: 'Nadia', fromUser: false };
    const asked = { ...OFFER, text: 'I pay the deposit on monday', request, sourceTexts: [request.words] };
    expect(await askedAfter('Sam: deposit paid', asked)).to.deep.equal([1]);
  });

  it('are asked about once the user has written again to whoever asked for something and was not answered', async () => {
    const app = { ...OFFER, text: 'and what is the story with the app, it wants a code?', isRequest: true, dueDate: null };
    expect(await askedAfter('Sam: your customer number, top right on the invoice', app)).to.deep.equal([1]);
    expect(await askedAfter('Nadia: good morning', app)).to.deep.equal([]);
    expect(await askedAfter('Sam: hi! lovely weather', { ...app, isRequest: false })).to.deep.equal([]);
    const asked = { ...app, n: 3 };
    expect(await askedAfter('Sam: here is the signed offer', OFFER, asked)).to.deep.equal([1]);
    const trucks = { ...asked, text: 'please add the 85 trucks with two sensors each' };
    const both = await askedAfter('Sam: here is the signed offer, with 85 trucks and 170 sensors', OFFER, trucks);
    expect(both).to.deep.equal([1, 3]);
    const openPromises = [OFFER, { ...asked, sourceMessageIds: ['90'] }];
    const messages = conversation(['Sam: here is the signed offer']).messages.map(one => ({ ...one, replyTo: 90 }));
    expect((await closingsOf([], { openPromises, messages })).map(({ n }) => n)).to.have.members([1, 3]);
  });

  it('are asked about sooner on the day they are due than the day before', async () => {
    const dueOn = (dueDate: string) => ({ ...OFFER, dueDate });
    expect(await askedAfter('Nadia: the paper is here, thanks', dueOn('2026-11-17'))).to.deep.equal([1]);
    expect(await askedAfter('Nadia: all here, thank you', dueOn('2026-11-18'))).to.deep.equal([]);
  });

  it('are not asked about because of words about something else, or words that were read before', async () => {
    expect(await closingsOf(['Nadia: good morning', 'Sam: hi! lovely weather'])).to.deep.equal([]);
    const again = { openPromises: [{ ...OFFER, isDoubtful: true }] };
    expect(await closingsOf(['Sam: [file: photo.jpg]'], again)).to.deep.equal([]);
    const previousDigest = { untilMessageId: 2, day: '2026-11-17' };
    expect(
      await closingsOf(['Sam: here is the signed offer [file: offer_signed.pdf]', 'Nadia: got the offer, thank you!!'], {
        previousDigest,
      }),
    ).to.deep.equal([]);
  });
});
