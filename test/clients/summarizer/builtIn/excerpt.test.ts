import { expect } from 'chai';
import type { MessengerMessage } from '../../../../src/clients/messenger/types.ts';
import { NO_KEY_LINES, renderExcerpt } from '../../../../src/clients/summarizer/builtIn/excerpt/renderExcerpt.ts';
import { conversation } from '../conversations.ts';
import { excerptOf, expectOwnWords, firstName, textOf } from './excerpts.ts';

const CHATS = {
  refused: [
    'Nadia: hi, could we get 15% off if we take two years?',
    'Sam: 15 no. 5% if you pay the year in advance',
    'Nadia: ok 5 then, i tell my boss',
    'Nadia: by the way who pays the customs for the second pallet?',
    'Sam: you, as always. 180 about',
    'Nadia: 😂 ok',
  ],
  done: [
    'Nadia: can you send me the signed contract today?',
    'Sam: yes after lunch',
    'Sam: [file: contract_signed.pdf]',
    'Nadia: got it, thanks',
  ],
  moved: [
    'Nadia: montag 9 uhr passt mir doch nicht, geht dienstag?',
    'Sam: dienstag erst ab 14 uhr',
    'Nadia: ok dienstag 14 uhr dann',
    'Sam: und die rechnung von oktober ist noch offen, 1.860',
    'Nadia: zahle ich freitag, falls der kunde bis dahin gezahlt hat',
  ],
  spanish: [
    'Nadia: me mandas el presupuesto antes del viernes?',
    'Sam: el jueves lo tienes',
    'Nadia: y otra cosa, la visita del martes se cancela, el cliente está malo',
    'Sam: vale, busco otro día',
  ],
  russian: [
    'Nadia: счёт за октябрь оплатите до пятницы?',
    'Sam: не раньше понедельника, бухгалтер в отпуске',
    'Nadia: хорошо, тогда понедельник',
  ],
};

describe('the excerpt', () => {
  for (const [name, lines] of Object.entries(CHATS)) {
    it(`quotes people in their own words (${name})`, async () => {
      const request = conversation(lines);
      const exchanges = await excerptOf(request);
      expect(exchanges).to.not.be.empty;
      expectOwnWords(exchanges, request.messages, firstName);
    });
  }

  it('shows a request with what came of it', async () => {
    const text = await textOf(CHATS.done);
    expect(text).to.match(/^Nadia: can you send me the signed contract today\?\n/);
    expect(text).to.match(/^↳ Sam: .*📎 contract_signed\.pdf ✓$/m);
  });

  it('shows the counter-offer together with its condition', async () => {
    expect(await textOf(CHATS.refused)).to.include('15 no. 5% if you pay the year in advance');
    expect(await textOf(CHATS.moved)).to.include('falls der kunde bis dahin gezahlt hat');
  });

  it('never shows a request for a discount without its refusal', async () => {
    const text = await textOf([
      'Nadia: could you do 0.08? volume discount',
      'Sam: sorry no, medical is 0.09',
      'Nadia: haha ok worth a try. 0.09 it is',
      'Nadia: so delivery 10 nov?',
      'Sam: confirmed',
    ]);
    expect(text).to.match(/could you do 0\.08\? .*\n↳ Sam: sorry no, medical is 0\.09/);
  });

  it('ticks nothing that was only promised', async () => {
    expect(await textOf(CHATS.spanish)).to.not.include('✓');
  });

  it('ends with what was said last, and ticks no promise', async () => {
    const last = 'oh, and the lift is broken, so bring it up the back stairs';
    expect(await textOf([...CHATS.refused, `Nadia: ${last}`])).to.include(last);
    const signed = ['Nadia: can you send me the signed contract?', 'Sam: sure, i will send you the signed contract'];
    expect(await textOf(signed)).to.not.include('✓');
  });

  it('does not break off before the answer to an offer', async () => {
    const text = await textOf([
      'Nadia: too expensive for the lunch menu, at 5 i take 15 kg',
      'Luke: then i sell them on the market',
      'Nadia: you are right',
      'Luke: my van is at the garage, can you send someone?',
      'Nadia: sami comes at 7:30 tomorrow then',
    ]);
    expect(text)
      .to.include('at 5 i take 15 kg\n↳ Luke: then i sell them on the market')
      .and.not.include('you are right');
  });

  it('shows at most one exchange, four, or eight', async () => {
    const lines = Array.from({ length: 14 }, (_, at) => [
      `Nadia: can you send me offer ${at + 100} by friday?`,
      `Sam: no, offer ${at + 100} costs ${at + 20} euros more`,
    ]).flat();
    for (const [style, most] of [
      ['MINIMAL', 1],
      ['BUSINESS', 4],
      ['DETAILED', 8],
    ] as const) {
      const exchanges = await excerptOf(conversation(lines, { style }));
      expect(exchanges.length, style).to.be.within(1, most);
    }
  });

  it('shows the newest day first, each day in its order', async () => {
    const request = conversation([
      'Nadia: can you do the viewing on 3 December?',
      'Sam: yes, 10:00 works',
      'Nadia: the price is 450 now, ok for you?',
      'Sam: no, 400 is my limit',
    ]);
    const dayLater = (message: MessengerMessage) => ({
      ...message,
      sentAt: new Date(message.sentAt.getTime() + 86_400_000),
    });
    const messages = [...request.messages.slice(0, 2), ...request.messages.slice(2).map(dayLater)];
    const days = (await excerptOf({ ...request, messages })).map(({ opener }) => opener.day);
    expect(days).to.deep.equal(['2026-11-18', '2026-11-17']);
  });

  it('has one fixed sentence for a day of which nothing need be quoted', async () => {
    expect(await textOf(['Nadia: hi', 'Sam: hello!'])).to.equal(NO_KEY_LINES);
    expect(await textOf(['Nadia: [sticker 😀]'])).to.equal(NO_KEY_LINES);
    expect(renderExcerpt([])).to.equal(NO_KEY_LINES);
  });

  it('marks what somebody else had written as passed on', async () => {
    const request = conversation(['Nadia: we accept 12.30 for 1200 pieces', 'Sam: great, then I order on monday']);
    const messages = request.messages.map((message, at) => ({ ...message, forwarded: at === 0 }));
    const text = renderExcerpt(await excerptOf({ ...request, messages }));
    expect(text).to.not.match(/^Nadia:/m);
    expect(text).to.match(/^Nadia ↪: we accept/m);
  });
});

describe('the excerpt and secrets', () => {
  it('quotes no secret, wherever a message is cut', async () => {
    const long =
      'and please look at the second page of the plan again because the sizes of the windows changed '.repeat(2);
    const text = await textOf([
      `Nadia: ${long}the wifi password is Tr0ub4dor&3 and can you send the invoice by friday?`,
      'Sam: yes, friday',
    ]);
    expect(text).to.not.include('Tr0ub4dor');
    expect(text).to.not.include('••••');
  });

  it('leaves out what only its neighbor makes a secret', async () => {
    const text = await textOf([
      'Nadia: the invoice is due friday, will you pay?',
      'Sam: yes friday. your code is',
      'Sam: 482913',
    ]);
    expect(text).to.not.include('482913');
  });
});
