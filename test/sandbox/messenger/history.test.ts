import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api, utils } from 'telegram';
import * as messenger from './client.ts';
import { chat, dialog, longConversation, message, OWNER_ID, PHONE, person, world } from './worlds.ts';

const LENGTH = 130;

type Page = Exclude<Api.messages.TypeMessages, Api.messages.MessagesNotModified>;

describe('The history of the messenger sandbox', () => {
  let server: messenger.Started;
  let session: string;
  let peers: Record<string, Api.TypeInputPeer>;

  before(async () => {
    server = await messenger.startServer(world(conversations()));
    session = await messenger.signIn(server.sandbox, PHONE);
    peers = await peersOf(server.sandbox, session);
  });
  after(() => server.stop());

  it('has the newest hundred first', async () => {
    const page = await read('user:5');
    expect(page.className).to.equal('messages.MessagesSlice');
    expect(idsOf(page)).to.deep.equal(range(130, 31));
    expect(page).to.include({ count: LENGTH });
  });

  it('has only what is newer than minId, and not minId itself', async () => {
    expect(idsOf(await read('user:5', { minId: 127 }))).to.deep.equal([130, 129, 128]);
    expect(idsOf(await read('user:5', { minId: 130 }))).to.deep.equal([]);
  });

  it('has only what is older than maxId, and not maxId itself', async () => {
    expect(idsOf(await read('user:5', { maxId: 4 }))).to.deep.equal([3, 2, 1]);
  });

  it('goes on before an offset by id or by date', async () => {
    expect(idsOf(await read('user:5', { offsetId: 31 }))).to.deep.equal(range(30, 1));
    expect(idsOf(await read('user:5', { offsetDate: message(4).date }))).to.deep.equal([3, 2, 1]);
  });

  it('reaches towards the newer messages with a negative addOffset', async () => {
    const page = await read('user:5', { offsetId: 11, addOffset: -3, limit: 5 });
    expect(idsOf(page)).to.deep.equal([13, 12, 11, 10, 9]);
    expect(idsOf(await read('user:5', { offsetId: 130, addOffset: -3, limit: 5 }))).to.deep.equal([130, 129, 128]);
  });

  it('is what the library itself reads forwards from a message, too', async () => {
    const { result } = await messenger.withClient(server.sandbox, session, client =>
      client.getMessages(peers['user:5'], { minId: 20, reverse: true, limit: 110 }),
    );
    expect(result.map(each => each.id)).to.deep.equal(range(21, 130));
  });

  it('says who wrote, as the messenger does: nobody where it can only be the other one', async () => {
    const [theirs, mine] = messagesOf(await read('user:5', { limit: 2 }));
    expect(theirs).to.include({ out: false, fromId: null });
    expect(mine).to.include({ out: true });
    expect(writerOf(mine)).to.equal(String(OWNER_ID));
    const [inGroup] = messagesOf(await read('chat:20', { limit: 1 }));
    expect(writerOf(inGroup)).to.equal('5');
    const [post] = messagesOf(await read('channel:30'));
    expect(post).to.include({ post: true, fromId: null });
    const [note] = messagesOf(await read(`user:${OWNER_ID}`));
    expect(note).to.include({ out: false });
  });

  it('has service messages, replies, forwards and every kind of media', async () => {
    const page = await read('chat:20');
    const kinds = messagesOf(page).map(each => each.media?.className);
    expect(kinds.filter(kind => kind !== undefined)).to.deep.equal([
      'MessageMediaPoll',
      'MessageMediaContact',
      'MessageMediaGeo',
      'MessageMediaDocument',
      'MessageMediaDocument',
      'MessageMediaDocument',
      'MessageMediaDocument',
      'MessageMediaPhoto',
    ]);
    const service = page.messages.find(each => each.id === 202);
    expect(service?.className).to.equal('MessageService');
    const forwarded = messagesOf(page).find(each => each.id === 203);
    expect(forwarded?.fwdFrom).to.include({ fromName: 'The mayor' });
    expect(forwarded?.replyTo).to.include({ replyToMsgId: 201 });
  });

  it('describes voice, video, sticker, file and poll so that a client knows them', async () => {
    const byId = new Map(messagesOf(await read('chat:20')).map(each => [each.id, each]));
    expect(byId.get(211)?.media).to.include({ voice: true });
    expect(byId.get(212)?.media).to.include({ video: true });
    expect(attributesOf(byId.get(213))).to.deep.equal(['DocumentAttributeFilename']);
    expect(attributesOf(byId.get(214))).to.deep.equal(['DocumentAttributeSticker']);
    const poll = byId.get(217)?.media;
    expect(poll instanceof Api.MessageMediaPoll && poll.poll.question.text).to.equal('Where to?');
    expect(byId.get(217)?.message).to.equal('');
    expect(byId.get(210)?.message).to.equal('Our stand');
  });

  it('refuses an access hash that this account was never given', async () => {
    const user = new Api.InputPeerUser({ userId: bigInt(5), accessHash: bigInt(42) });
    const channel = new Api.InputPeerChannel({ channelId: bigInt(30), accessHash: bigInt(42) });
    const group = new Api.InputPeerChat({ chatId: bigInt(99) });
    const refusal = (peer: Api.TypeInputPeer) =>
      messenger.refusalOf(messenger.call(server.sandbox, session, messenger.historyRequest(peer)));
    expect(await refusal(user)).to.equal('PEER_ID_INVALID');
    expect(await refusal(channel)).to.equal('CHANNEL_INVALID');
    expect(await refusal(group)).to.equal('PEER_ID_INVALID');
  });

  it('gives messages by id, and an empty one where there is none', async () => {
    const id = [7, 9999].map(each => new Api.InputMessageID({ id: each }));
    const found = await messenger.call(server.sandbox, session, new Api.messages.GetMessages({ id }));
    expect(found instanceof Api.messages.Messages && found.messages.map(each => each.className)).to.deep.equal([
      'Message',
      'MessageEmpty',
    ]);
  });

  async function read(key: string, details: Partial<Api.messages.GetHistory> = {}): Promise<Page> {
    const peer = peers[key];
    if (!peer) throw new Error(`No conversation ${key}`);
    const page = await messenger.call(server.sandbox, session, messenger.historyRequest(peer, details));
    if (page instanceof Api.messages.MessagesNotModified) throw new Error(page.className);
    return page;
  }
});

function conversations() {
  const media = (['photo', 'voice', 'video', 'document', 'sticker', 'location', 'contact', 'poll'] as const).map(
    (kind, index) => message(210 + index, { from: 5, media: kind, text: kind === 'poll' ? 'Where to?' : 'Our stand' }),
  );
  const group = [
    message(201, { from: 5 }),
    message(202, { from: 5, service: 'joined the group' }),
    message(203, { from: 5, forwardedFrom: 'The mayor', replyTo: 201 }),
    ...media.map(each => (each.media === 'document' ? { ...each, fileName: 'plan.pdf' } : each)),
  ];
  const long = longConversation(LENGTH);
  return {
    users: [person(5)],
    chats: [chat(20, 'group'), chat(30, 'channel')],
    dialogs: [
      ...(long.dialogs ?? []),
      dialog('chat:20', group),
      dialog('channel:30', [message(1, { from: null })]),
      dialog(`user:${OWNER_ID}`, [message(300)]),
    ],
  };
}

async function peersOf(sandbox: messenger.Started['sandbox'], session: string) {
  const list = await messenger.call(sandbox, session, messenger.dialogsRequest());
  if (list instanceof Api.messages.DialogsNotModified) throw new Error(list.className);
  const users = list.users.map(user => [`user:${user.id}`, utils.getInputPeer(user)] as const);
  const chats = list.chats.map(each => {
    const kind = each instanceof Api.Channel ? 'channel' : 'chat';
    return [`${kind}:${each.id}`, utils.getInputPeer(each)] as const;
  });
  return Object.fromEntries([...users, ...chats]);
}

function idsOf(page: Page): number[] {
  return page.messages.map(each => each.id);
}

function messagesOf(page: Page): Api.Message[] {
  return page.messages.filter(each => each instanceof Api.Message);
}

function writerOf(message: Api.Message | undefined): string {
  return message?.fromId instanceof Api.PeerUser ? String(message.fromId.userId) : '';
}

function attributesOf(message: Api.Message | undefined): string[] {
  const media = message?.media;
  if (!(media instanceof Api.MessageMediaDocument) || !(media.document instanceof Api.Document)) return [];
  return media.document.attributes.map(each => each.className);
}

/** From first to last, both included, in either direction. */
function range(first: number, last: number): number[] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step);
}
