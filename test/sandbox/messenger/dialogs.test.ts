import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api, utils } from 'telegram';
import * as messenger from './client.ts';
import { chat, dialog, message, OWNER_ID, PHONE, person, world } from './worlds.ts';

const CROWD = 250;

type List = Exclude<Api.messages.TypeDialogs, Api.messages.DialogsNotModified>;

describe('The conversation list of the messenger sandbox', () => {
  let server: messenger.Started;
  let session: string;

  before(async () => {
    const everyone = Array.from({ length: CROWD }, (_, index) => 5001 + index);
    const crowd = {
      key: 'crowd',
      owner: person(2000, { phone: '+34600999888' }),
      users: everyone.map(id => person(id)),
      // Several with one date, as in an import: the order must hold all the same.
      dialogs: everyone.map(id => dialog(`user:${id}`, [message(id, { from: id, date: 1_750_000_000 + (id % 10) })])),
    };
    server = await messenger.startServer(world(smallWorld()), world(crowd));
    session = await messenger.signIn(server.sandbox, PHONE);
  });
  after(() => server.stop());

  it('comes in pages of a hundred that leave nothing out and repeat nothing', async () => {
    const crowdSession = await messenger.signIn(server.sandbox, '+34600999888');
    server.sandbox.resetCalls();
    const { result: pages } = await messenger.withClient(server.sandbox, crowdSession, readPages);
    // One more is the service chat with the login code.
    expect(pages.map(page => page.length)).to.deep.equal([100, 100, CROWD + 1 - 200]);
    expect(new Set(pages.flat()).size).to.equal(CROWD + 1);
    expect(server.sandbox.calls()).to.include({ 'messages.GetDialogs': 3 });
  });

  it('is what the library itself pages through, too', async () => {
    const crowdSession = await messenger.signIn(server.sandbox, '+34600999888');
    const listed = await messenger.withClient(server.sandbox, crowdSession, client => client.getDialogs({}));
    expect(listed.result).to.have.length(CROWD + 1);
  });

  it('has the pinned conversations first and then the newest', async () => {
    const list = await read();
    expect(keysOf(list)).to.deep.equal([
      'user:7',
      'user:777000',
      'user:6',
      'chat:20',
      'user:1000',
      'channel:30',
      'user:8',
    ]);
    expect(list.dialogs[0]).to.include({ pinned: true });
  });

  it('leaves the pinned ones out when asked to', async () => {
    expect(keysOf(await read({ excludePinned: true }))).not.to.include('user:7');
  });

  it('has everything without a folder, the main list with the archive as an entry, and the archive', async () => {
    expect(keysOf(await read())).to.include('user:6');
    const main = await read({ folderId: 0 });
    expect(main.dialogs[0]?.className).to.equal('DialogFolder');
    expect(keysOf({ dialogs: main.dialogs.slice(1) })).not.to.include('user:6');
    expect(keysOf(await read({ folderId: 1 }))).to.deep.equal(['user:6']);
  });

  it('has a conversation without any message, at its end', async () => {
    const empty = (await read()).dialogs.at(-1);
    expect(empty).to.include({ topMessage: 0 });
  });

  it('tells bots, deleted people, groups, supergroups and channels apart', async () => {
    const { users, chats } = await read();
    const user = (id: number) => users.find(each => each.id.eq(id));
    expect(user(6)).to.include({ bot: true });
    expect(user(7)).to.include({ deleted: true, firstName: null, phone: null });
    expect(user(777000)).to.include({ support: true });
    expect(user(OWNER_ID)).to.include({ self: true });
    expect(chats.map(each => each.className)).to.deep.equal(['Chat', 'Channel']);
    expect(chats[1]).to.include({ broadcast: true, megagroup: false });
  });

  it('refuses an offset at a peer with the access hash of another account', async () => {
    const list = await read();
    const stranger = list.users.find(each => each.id.eq(8));
    if (!(stranger instanceof Api.User) || !stranger.accessHash) throw new Error('No such person');
    const offsetPeer = new Api.InputPeerUser({ userId: stranger.id, accessHash: stranger.accessHash.plus(1) });
    expect(await messenger.refusalOf(read({ offsetPeer }))).to.equal('OFFSET_PEER_ID_INVALID');
  });

  it('gives single conversations by their peer', async () => {
    const found = await messenger.withClient(server.sandbox, session, client =>
      client.invoke(new Api.messages.GetPeerDialogs({ peers: [new Api.InputPeerChat({ chatId: bigInt(20) })] })),
    );
    expect(found.result.dialogs.map(each => ('topMessage' in each ? each.topMessage : null))).to.deep.equal([3]);
  });

  async function read(details: Partial<Api.messages.GetDialogs> = {}): Promise<List> {
    const list = await messenger.call(server.sandbox, session, messenger.dialogsRequest(details));
    if (list instanceof Api.messages.DialogsNotModified) throw new Error(list.className);
    return list;
  }
});

function smallWorld() {
  return {
    users: [person(6, { isBot: true }), person(7, { isDeleted: true }), person(8)],
    chats: [chat(20, 'group'), chat(30, 'channel')],
    dialogs: [
      dialog('user:8', []),
      dialog('user:1000', [message(2)]),
      dialog('user:6', [message(4, { from: 6 })], { archived: true }),
      dialog('channel:30', [message(1, { from: null })]),
      dialog('user:7', [message(1, { from: 7 })], { pinned: true }),
      dialog('chat:20', [message(3, { from: 8 })]),
    ],
  };
}

function keysOf(list: Pick<List, 'dialogs'>): string[] {
  return list.dialogs.map(each => {
    const peer = each instanceof Api.DialogCommunity ? null : each.peer;
    if (peer instanceof Api.PeerUser) return `user:${peer.userId}`;
    if (peer instanceof Api.PeerChat) return `chat:${peer.chatId}`;
    return `channel:${peer?.channelId}`;
  });
}

/** As a client does by hand: the next page begins at the last conversation's top message. */
async function readPages(client: messenger.Client): Promise<string[][]> {
  const pages: string[][] = [];
  let offset: Partial<Api.messages.GetDialogs> = {};
  for (;;) {
    const list = await client.invoke(messenger.dialogsRequest(offset));
    if (list instanceof Api.messages.DialogsNotModified) throw new Error(list.className);
    pages.push(keysOf(list));
    const last = list.messages.at(-1);
    if (list.dialogs.length < 100 || !(last instanceof Api.Message)) return pages;
    const user = list.users.find(each => last.peerId instanceof Api.PeerUser && each.id.eq(last.peerId.userId));
    const offsetPeer = utils.getInputPeer(user ?? new Api.InputPeerEmpty());
    offset = { offsetDate: last.date, offsetId: last.id, offsetPeer, excludePinned: true };
  }
}
