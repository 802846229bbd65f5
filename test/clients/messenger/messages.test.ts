import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import type { Call } from '../../../src/clients/messenger/connection.ts';
import { readHistory } from '../../../src/clients/messenger/messages.ts';
import { mediaInBrackets } from '../../../src/clients/summarizer/media.ts';

const zero = bigInt.zero;
const words = (text: string) => new Api.TextWithEntities({ text, entities: [] });
const place = new Api.GeoPoint({ long: 13.4, lat: 52.5, accessHash: zero });
const contact = { phoneNumber: '34600111222', vcard: '', userId: zero };
const invoice = { currency: 'EUR', totalAmount: bigInt(12_000), startParam: '' };
const task = (id: number, title: string) => new Api.TodoItem({ id, title: words(title) });

/** What the library makes of one message: the vendor's own objects, without the wire. */
async function read(about: { message?: string; media?: Api.TypeMessageMedia; replyTo?: Api.TypeMessageReplyHeader }) {
  const peerId = new Api.PeerChat({ chatId: bigInt(21) });
  const message = new Api.Message({ id: 9, peerId, date: 1_780_000_000, message: '', ...about });
  const answer = new Api.messages.Messages({ messages: [message], topics: [], chats: [], users: [] });
  const call = (async () => answer) as unknown as Call;
  const [found] = await readHistory(
    call,
    { kind: 'chat', id: '21', accessHash: '' },
    { afterId: 0, untilId: 9, limit: 5 },
  );
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
          todo: new Api.TodoList({
            title: words('Before the fair'),
            list: [task(1, 'Send the deck'), task(2, 'Book')],
          }),
          completions: [new Api.TodoCompletion({ id: 2, completedBy: new Api.PeerUser({ userId: zero }), date: 1 })],
        }),
      },
      '[checklist: ✓ Book]',
      'Before the fair\nSend the deck',
    ],
    [
      'an invoice: its title and description',
      { media: new Api.MessageMediaInvoice({ ...invoice, title: 'Consulting', description: 'Two days in May' }) },
      '[payment request: Consulting]',
      'Two days in May',
    ],
    [
      'a venue: its name and address',
      {
        media: new Api.MessageMediaVenue({
          ...{ geo: place, title: 'Café Luz', address: 'Calle Mayor 3', provider: '', venueId: '', venueType: '' },
        }),
      },
      '[location: Café Luz, Calle Mayor 3]',
      '',
    ],
    [
      'a contact: the name',
      { media: new Api.MessageMediaContact({ ...contact, firstName: 'Bo', lastName: 'Ng' }) },
      '[contact: Bo Ng]',
      '',
    ],
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
    [
      'paid media that were paid for: what they are',
      {
        media: new Api.MessageMediaPaidMedia({
          starsAmount: bigInt(5),
          extendedMedia: [new Api.MessageExtendedMedia({ media: new Api.MessageMediaPhoto({}) })],
        }),
      },
      '[photo]',
      '',
    ],
    ['unsupported media: no file', { media: new Api.MessageMediaUnsupported() }, '[attachment]', ''],
  ];

  for (const [name, given, brackets, text] of cases) {
    it(`is read of ${name}`, async () => {
      const found = await read(given);
      expect([found.media && mediaInBrackets(found.media), found.text]).to.deep.equal([brackets, text]);
    });
  }
});
