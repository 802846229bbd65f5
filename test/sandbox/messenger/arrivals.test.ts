import { expect } from 'chai';
import { Api } from 'telegram';
import type { World } from '../../../sandbox/messenger/world.ts';
import * as messenger from './client.ts';
import { chat, dialog, message, PHONE, person, world } from './worlds.ts';

const DAY_SECONDS = 24 * 60 * 60;
const PEOPLE = Array.from({ length: 25 }, (_, index) => 5001 + index);

describe('A new day in the messenger sandbox', () => {
  let server: messenger.Started;
  let session: string;

  beforeEach(async () => {
    const planned = [
      {
        dialogKey: 'user:5001',
        messages: [message(900, { from: 5001, text: 'Lunch?' }), message(902, { replyTo: 900 })],
      },
      { dialogKey: 'channel:30', messages: [message(901, { from: null, text: 'News' })] },
    ];
    await start([planned]);
  });
  afterEach(() => server.stop());

  async function start(nextDays: World['nextDays']): Promise<void> {
    server = await messenger.startServer(
      world({
        users: [...PEOPLE.map(id => person(id)), person(6, { isBot: true })],
        chats: [chat(30, 'channel')],
        dialogs: [
          ...PEOPLE.map(id => dialog(`user:${id}`, [message(id - 5000, { from: id }), message(id, { from: id })])),
          dialog('user:6', [message(500, { from: 6 })]),
          dialog('channel:30', [message(1, { from: null })]),
        ],
        nextDays,
      }),
    );
    session = await messenger.signIn(server.sandbox, PHONE);
  }

  it('is the one the world has planned, under new ids and at its own times of day', async () => {
    const before = await tops();
    expect(server.sandbox.simulateNextDay('test')).to.deep.equal({ conversations: 2, messages: 3 });
    const after = await tops();
    expect(changed(before, after)).to.deep.equal(['channel:30', 'user:5001']);
    expect(after.get('channel:30')?.id).to.equal(2);
    const reply = after.get('user:5001');
    expect(reply?.id).to.be.greaterThan(5025);
    expect(reply?.replyTo).to.include({ replyToMsgId: (reply?.id ?? 0) - 1 });
    const now = Date.now() / 1000;
    expect((reply?.date ?? 0) % DAY_SECONDS).to.equal(message(902).date % DAY_SECONDS);
    expect(reply?.date).to.be.within(now - DAY_SECONDS - 5, now);
  });

  it('repeats the last day of twenty people in a world without a story, and no more each time', async () => {
    await server.stop();
    await start([]);
    const before = await tops();
    const first = server.sandbox.simulateNextDay('test');
    expect(first).to.deep.equal({ conversations: 20, messages: 20 });
    const after = await tops();
    const again = changed(before, after);
    expect(again).to.have.length(20);
    expect(again.every(key => PEOPLE.includes(Number(key.slice('user:'.length))))).to.equal(true);
    expect(server.sandbox.simulateNextDay('test')).to.deep.equal(first);
  });

  it('does not come twice after a restart', async () => {
    server.sandbox.simulateNextDay('test');
    await server.restart();
    expect(server.sandbox.simulateNextDay('test').conversations).to.equal(0);
  });

  async function tops(): Promise<Map<string, Api.Message>> {
    const list = await messenger.call(server.sandbox, session, messenger.dialogsRequest());
    if (!(list instanceof Api.messages.Dialogs)) throw new Error(list.className);
    const messages = list.messages.filter(each => each instanceof Api.Message);
    return new Map(messages.map(each => [keyOf(each.peerId), each]));
  }
});

function keyOf(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return `user:${peer.userId}`;
  return `channel:${peer instanceof Api.PeerChannel ? peer.channelId : '?'}`;
}

function changed(before: Map<string, Api.Message>, after: Map<string, Api.Message>): string[] {
  return [...after.keys()].filter(key => after.get(key)?.id !== before.get(key)?.id).sort();
}
