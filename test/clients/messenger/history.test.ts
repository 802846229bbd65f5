import { expect } from 'chai';
import { dialog, firstMessageAt, message, person, world } from '../../support/worlds.ts';
import { allDialogs, signedIn, startMessenger } from './messenger.ts';

const partner = person(11, { firstName: 'Ann', lastName: 'Ng' });

describe('The messages of a conversation', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;
  let session: string;

  afterEach(() => messenger.stop());

  async function open(...worlds: Parameters<typeof startMessenger>) {
    messenger = await startMessenger(...worlds);
    session = await signedIn(messenger.sandbox, messenger.client);
  }

  const read = (range: { afterId: number; untilId: number; limit: number }) =>
    messenger.client.withConnection(session, async reader => {
      for await (const page of reader.dialogs('main')) {
        const found = page.dialogs.find(candidate => candidate.unreadable === null);
        if (found) return reader.history(found.peer, range);
      }
      throw new Error('The account has no conversation');
    });
  const everything = { afterId: 0, untilId: 1_000_000, limit: 500 };

  it('have author, text and time, and what they reply to', async () => {
    const messages = [
      message(1, { text: 'Hello' }),
      message(2, { from: 11, text: 'Hi Nora', forwardedFrom: 'Somebody', replyTo: 1 }),
    ];
    await open(world({ users: [partner], dialogs: [dialog('user:11', messages)] }));
    expect(await read(everything)).to.deep.equal([
      {
        id: 1,
        sentAt: new Date((firstMessageAt + 60) * 1000),
        fromUser: true,
        senderName: 'Nora Lind',
        senderId: 'user:1000',
        text: 'Hello',
        forwarded: false,
      },
      {
        id: 2,
        sentAt: new Date((firstMessageAt + 120) * 1000),
        fromUser: false,
        senderName: 'Ann Ng',
        senderId: 'user:11',
        text: 'Hi Nora',
        forwarded: true,
        replyTo: 1,
      },
    ]);
  });

  it('are the newest of a range that holds more than the limit, oldest first', async () => {
    const messages = Array.from({ length: 230 }, (_, index) => message(index + 1, { from: 11 }));
    await open(world({ users: [partner], dialogs: [dialog('user:11', messages)] }));
    const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const ids = async (range: Parameters<typeof read>[0]) => (await read(range)).map(found => found.id);
    expect(await ids({ ...everything, limit: 50 })).to.deep.equal(numbers(181, 230));
    expect(messenger.sandbox.calls()['messages.GetHistory']).to.equal(1);
    expect(await ids({ afterId: 10, untilId: 150, limit: 120 })).to.deep.equal(numbers(31, 150));
  });

  for (const kind of ['group', 'supergroup'] as const) {
    it(`name each sender in a ${kind}, and leave out who joined`, async () => {
      const key = kind === 'group' ? 'chat:21' : 'channel:21';
      const messages = [
        message(1, { from: 11 }),
        message(2, { from: 11, text: '', service: 'joined the group' }),
        message(3),
        message(4, { from: 12 }),
      ];
      const users = [partner, person(12, { firstName: 'Bo' })];
      await open(
        world({ users, chats: [{ id: 21, kind, title: 'Flat', username: null }], dialogs: [dialog(key, messages)] }),
      );
      expect((await read(everything)).map(found => [found.id, found.senderName, found.fromUser])).to.deep.equal([
        [1, 'Ann Ng', false],
        [3, 'Nora Lind', true],
        [4, 'Bo', false],
      ]);
    });
  }

  it('say what they carry beside their words, which no one can type', async () => {
    const media = [
      message(1, { media: 'photo', text: 'our stand' }),
      message(2, { media: 'voice', text: '' }),
      message(3, { media: 'video', text: '' }),
      message(4, { media: 'document', fileName: 'offer.pdf', text: 'as promised' }),
      message(5, { media: 'sticker', text: '👍' }),
      message(6, { media: 'location', text: '' }),
      message(7, { media: 'contact', text: 'Bo' }),
      message(8, { media: 'poll', text: 'Which day? Friday / Monday' }),
      message(9, { text: '[file: offer.pdf] signed' }),
    ];
    await open(world({ users: [partner], dialogs: [dialog('user:11', media)] }));
    expect((await read(everything)).map(({ text, media }) => [text, media?.kind, media?.name])).to.deep.equal([
      ['our stand', 'photo', ''],
      ['', 'voice', ''],
      ['', 'video', ''],
      ['as promised', 'document', 'offer.pdf'],
      ['', 'sticker', '👍'],
      ['', 'location', ''],
      ['', 'contact', 'Bo'],
      ['Friday / Monday', 'poll', 'Which day?'],
      ['[file: offer.pdf] signed', undefined, undefined],
    ]);
  });

  it('stay unread, and nothing is written', async () => {
    await open(world({ users: [partner], dialogs: [dialog('user:11', [message(1, { from: 11 })], { unreadCount: 1 })] }));
    await read(everything);
    const methods = Object.keys(messenger.sandbox.calls());
    expect(methods.filter(name => /Read|Send|Set|Update/.test(name))).to.deep.equal(['auth.SendCode']);
    const dialogs = await allDialogs(messenger.client, session);
    expect(dialogs.find(found => found.peerId === '11')).to.include({ unreadCount: 1 });
  });
});
