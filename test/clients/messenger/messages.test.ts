import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import type { Call } from '../../../src/clients/messenger/connection.ts';
import { readHistory } from '../../../src/clients/messenger/messages.ts';
import { mediaInBrackets } from '../../../src/clients/summarizer/media.ts';

const zero = bigInt.zero;
const words = (text: string) => new Api.TextWithEntities({ text, entities: [] });
const invoice = { currency: 'EUR', totalAmount: bigInt(12_000), startParam: '' };
const answer = (text: string) => new Api.PollAnswer({ text: words(text), option: Buffer.from(text) });
const task = (id: number, title: string) => new Api.TodoItem({ id, title: words(title) });

const common = { peerId: new Api.PeerChat({ chatId: bigInt(21) }), date: 1_780_000_000 };

/** What the library makes of these messages, newest first: the vendor's own objects, without the wire. */
async function readAll(messages: Api.TypeMessage[], afterId = 0, onCall = () => {}) {
  const call = (async ({ offsetId, minId, limit }: Api.messages.GetHistory) => {
    onCall();
    const found = messages.filter(({ id }) => id < offsetId && id > minId).slice(0, limit);
    return new Api.messages.Messages({ messages: found, topics: [], chats: [], users: [] });
  }) as unknown as Call;
  return readHistory(call, { kind: 'chat', id: '21', accessHash: '' }, { afterId, untilId: 9, limit: 5 });
}

async function read(about: { message?: string; media?: Api.TypeMessageMedia; replyTo?: Api.TypeMessageReplyHeader }) {
  const [found] = await readAll([new Api.Message({ id: 9, message: '', ...common, ...about })]);
  if (!found) throw new Error('the message was not read');
  return found;
}

describe('A message in a topic of a forum', () => {
  const inTopic = { forumTopic: true, replyToMsgId: 3 };

  it('replies to nothing by being there', async () => {
    expect(await read({ replyTo: new Api.MessageReplyHeader(inTopic) })).not.to.have.property('replyTo');
  });

  it('replies to the message that its author chose', async () => {
    const header = { forumTopic: true, replyToMsgId: 7, replyToTopId: 3 };
    expect(await read({ replyTo: new Api.MessageReplyHeader(header) })).to.include({ replyTo: 7 });
  });
});

describe('What a message carries', () => {
  const cases: [string, Parameters<typeof read>[0], string, string][] = [
    [
      'a checklist: its title and tasks, and which are done',
      {
        media: new Api.MessageMediaToDo({
          todo: new Api.TodoList({ title: words('Before the fair'), list: [task(1, 'Send the deck'), task(2, 'Book')] }),
          completions: [new Api.TodoCompletion({ id: 2, completedBy: new Api.PeerUser({ userId: zero }), date: 1 })],
        }),
      },
      '[checklist: ✓ Book]',
      'Before the fair\nSend the deck',
    ],
    [
      'an invoice: its title, amount and description',
      { media: new Api.MessageMediaInvoice({ ...invoice, title: 'Consulting', description: 'Two days in May' }) },
      '[payment request: Consulting, €120.00]',
      'Two days in May',
    ],
    ...(
      [
        ['KWD', 'KWD 12.000'],
        ['XTR', '12,000 Telegram Stars'],
      ] as const
    ).map(([currency, amount]): (typeof cases)[number] => [
      `an invoice in ${currency}: the amount as people write it`,
      { media: new Api.MessageMediaInvoice({ ...invoice, currency, title: 'Consulting', description: '' }) },
      `[payment request: Consulting, ${amount}]`,
      '',
    ]),
    [
      'paid media: what was bought, and the caption',
      {
        message: 'the recording',
        media: new Api.MessageMediaPaidMedia({
          starsAmount: bigInt(5),
          extendedMedia: [new Api.MessageExtendedMediaPreview({ videoDuration: 30 })],
        }),
      },
      '[video]',
      'the recording',
    ],
  ];

  for (const [name, given, brackets, text] of cases) {
    it(`is read of ${name}`, async () => {
      const found = await read(given);
      expect([found.media && mediaInBrackets(found.media), found.text]).to.deep.equal([brackets, text]);
    });
  }
});

describe('A service message', () => {
  const checklist = new Api.MessageMediaToDo({
    todo: new Api.TodoList({ title: words('Before the fair'), list: [task(1, 'Send the deck'), task(2, 'Book')] }),
  });
  const replyTo = new Api.MessageReplyHeader({ replyToMsgId: 3 });
  const cases: [string, Api.TypeMessageAction, string, string][] = [
    [
      'about tasks that are done: which',
      new Api.MessageActionTodoCompletions({ completed: [2], incompleted: [] }),
      '[checklist: ✓ Book]',
      '',
    ],
    [
      'about a new option of a poll: which',
      new Api.MessageActionPollAppendAnswer({ answer: answer('Friday') }),
      '[poll]',
      'Friday',
    ],
  ];

  for (const [name, action, brackets, text] of cases) {
    it(`is read where it is ${name}`, async () => {
      // The checklist was read on an earlier day.
      const asked = new Api.Message({ id: 3, message: '', ...common, media: checklist });
      const found = await readAll([new Api.MessageService({ id: 9, ...common, action, replyTo }), asked], 5);
      expect(found.map(said => [said.id, said.media && mediaInBrackets(said.media), said.text, said.replyTo])).to.deep.equal(
        [[9, brackets, text, 3]],
      );
    });
  }
});
