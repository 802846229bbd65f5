import { expect } from 'chai';
import type { MessengerMessage } from '../../../../src/clients/messenger/types.ts';
import { chooseExcerpt } from '../../../../src/clients/summarizer/builtIn/excerpt/chooseExcerpt.ts';
import { NO_KEY_LINES, renderExcerpt } from '../../../../src/clients/summarizer/builtIn/excerpt/renderExcerpt.ts';
import { shownText } from '../../../../src/clients/summarizer/builtIn/excerpt/shown.ts';
import { readAll } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Exchange, Line, SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

async function excerptOf(request: SummaryRequest): Promise<Exchange[]> {
  return chooseExcerpt({ ...(await readAll(request)), style: request.style });
}

async function textOf(lines: string[], change: Partial<SummaryRequest> = {}): Promise<string> {
  return renderExcerpt(await excerptOf(conversation(lines, change)));
}

const linesOf = (exchanges: Exchange[]): Line[] => exchanges.flatMap(({ opener, answers }) => [opener, ...answers]);

/** Every span stands in its message as one piece, and the line names whoever wrote that message. */
function expectOwnWords(
  exchanges: Exchange[],
  messages: MessengerMessage[],
  nameOf: (message: MessengerMessage) => string,
) {
  for (const line of linesOf(exchanges)) {
    expect(line.spans).to.not.be.empty;
    for (const span of line.spans) {
      const message = messages.find(({ id }) => String(id) === span.messageId);
      expect(message, span.messageId).to.not.equal(undefined);
      if (!message) continue;
      expect(shownText(message.text)).to.include(span.text);
      expect(line.who).to.equal(nameOf(message));
      expect(line.fromUser).to.equal(message.fromUser);
    }
  }
}

const firstName = ({ senderName }: MessengerMessage) => senderName.split(' ')[0] ?? '';

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

/** Signs that only the excerpt itself writes. */
const FORGED = [
  'ok\n↳ Boss: approved, pay 9000 today',
  'Boss: approved\nBoss: pay 9000 by friday?',
  '↳ Sam: yes, I will pay 9000 on monday ✓',
  'can you pay 9000 by friday? \u2028↳ Sam: yes ✓',
  'pay 9000 by friday?\r\n\u21B3\u200F Sam: done \u2714\uFE0F ✅ ☑',
  '\u202EmaS\u202C: seY, yap 9000 by friday?',
  '&#8627; Sam: I pay 9000 on friday &#10003;',
  '<br>↳ Sam: I pay 9000 on friday',
  '📎 contract_signed.pdf ✓ can you pay by friday?',
];

describe('a forged excerpt', () => {
  for (const forged of FORGED) {
    it(`stays one line of its author: ${JSON.stringify(forged)}`, async () => {
      const request = conversation(['Sam: what about the deposit of 9000?', 'Nadia: x', 'Sam: when do you need it?']);
      const messages = request.messages.map(message =>
        message.senderName === 'Nadia' ? { ...message, text: forged } : message,
      );
      const exchanges = await excerptOf({ ...request, messages });
      expectOwnWords(exchanges, messages, firstName);
      expect(renderExcerpt(exchanges).split('\n')).to.have.length(linesOf(exchanges).length);
      for (const line of renderExcerpt(exchanges).split('\n')) {
        expect(line).to.match(/^(?:↳ )?(?:Sam|Nadia): /);
        expect(line.replace(/^↳ /, '')).to.not.match(/[↳✓✔✅☑📎\u202A-\u202E\u2066-\u2069\u2028\r]/u);
      }
    });
  }

  it('can not be made with a name', async () => {
    for (const senderName of ['Boss: approved\n↳ Sam', '↳ Sam: yes ✓', 'Sam\u202E: ok', '✓:↳']) {
      const request = conversation(['Nadia: can you pay the 9000 by friday?', 'Sam: no, monday']);
      const messages = request.messages.map(message => (message.fromUser ? message : { ...message, senderName }));
      const text = renderExcerpt(await excerptOf({ ...request, peerName: senderName, messages }));
      expect(text.split('\n').length, text).to.be.at.most(2);
      for (const line of text.split('\n')) {
        const [who = ''] = line.replace(/^↳ /, '').split(': ');
        expect(who).to.not.match(/[:↳✓\n\u202E]/u);
      }
    }
  });
});

const PARTS = [
  'can you ',
  'send ',
  'the offer ',
  'by friday',
  ', ',
  '? ',
  '. ',
  'if ',
  'not ',
  '450 € ',
  'ok',
  '\n',
  '↳ ',
  'Sam: ',
  '✓',
  'завтра ',
  '在星期五',
  'شكرا ',
  '\u202E',
  '\u200B',
  '[file: a.pdf] ',
  '[photo] ',
  '<b>',
  '&amp;',
  '••••',
  '…',
  ' - ',
  'https://x.example/a?b=1 ',
  ' password: hunter22 ',
  '😂',
  'noch nicht ',
  'a\u0301',
  '\uD800',
  'x'.repeat(120),
]; // prettier-ignore

/** The same messages in every run (mulberry32). */
function fuzzed(count: number): string[] {
  let state = 7;
  const random = (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random(14) }, () => PARTS[random(PARTS.length)] ?? '').join(''),
  );
}

describe('the excerpt of anything', () => {
  it('shows nothing but words of the message and the author it names', async function () {
    this.timeout(60_000);
    const texts = fuzzed(1200);
    for (let at = 0; at < texts.length; at += 24) {
      const request = conversation(
        texts.slice(at, at + 24).map((text, index) => `${index % 3 ? 'Nadia' : 'Sam'}: ${text}`),
        {
          style: 'DETAILED',
        },
      );
      const exchanges = await excerptOf(request);
      expectOwnWords(exchanges, request.messages, firstName);
      const rendered = renderExcerpt(exchanges).split('\n');
      if (exchanges.length > 0) expect(rendered).to.have.length(linesOf(exchanges).length);
      expect(rendered.join('')).to.not.include('hunter22');
    }
  });
});
