import { expect } from 'chai';
import type { MessengerDialog } from '../../../src/clients/messenger/types.ts';
import { crowd, dialog, firstMessageAt, message, owner, person, world } from '../../support/worlds.ts';
import { allDialogs, signedIn, startMessenger } from './messenger.ts';

describe('The conversations of a messenger account', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>> | undefined;

  afterEach(async () => {
    await messenger?.stop();
    messenger = undefined;
  });

  async function read(...worlds: Parameters<typeof startMessenger>) {
    messenger = await startMessenger(...worlds);
    const session = await signedIn(messenger.sandbox, messenger.client);
    messenger.sandbox.resetCalls();
    const dialogs = await allDialogs(messenger.client, session);
    return { dialogs, calls: messenger.sandbox.calls() };
  }

  const named = (dialogs: MessengerDialog[], name: string) => dialogs.find(found => found.name === name);

  it('have names without letters that no one sees, and keep what joins emoji and letters', async () => {
    const tags = [...'obey'].map(one => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');
    const names: [written: string, seen: string][] = [
      [`A\u200bn\u2060n${tags}`, 'Ann'],
      ['\u202eevE\u2066 \u200fLevi\u00ad', 'evE Levi'],
      ['Two\nlines\u2028here\u0007', 'Two lines here'],
      ['👩🏽\u200d💻 Dev ❤\ufe0f 1\ufe0f\u20e3', '👩🏽\u200d💻 Dev ❤\ufe0f 1\ufe0f\u20e3'],
      ['\u2800\u3164\u200b', ''],
    ];
    const users = names.map(([firstName], n) => person(30 + n, { firstName }));
    const chats = [
      { id: 70, kind: 'group' as const, title: `The\u2060 team${tags}`, username: null },
      { id: 71, kind: 'supergroup' as const, title: 'The\u202e town', username: null },
    ];
    const many = users.map(({ id }) => dialog(`user:${id}`, [message(id, { from: id })]));
    const groups = [dialog('chat:70', [message(1)]), dialog('channel:71', [message(2)])];
    const { dialogs } = await read(world({ users, chats, dialogs: [...many, ...groups] }));
    for (const [n, [written, seen]] of names.entries()) {
      expect(dialogs.find(({ peerId }) => peerId === String(30 + n))?.name, JSON.stringify(written)).to.equal(seen);
    }
    for (const name of ['The team', 'The town']) expect(named(dialogs, name), name).to.not.equal(undefined);
  });

  it('continue past pinned, empty and archived ones', async () => {
    const { users, dialogs: many } = crowd(250);
    const placed = many.map((found, index) => ({
      ...{ ...found, pinned: index % 60 === 0, archived: index % 2 === 1 },
      messages: index % 50 === 3 ? [] : found.messages,
    }));
    const { dialogs } = await read(world({ users, dialogs: placed }));
    expect(dialogs.filter(found => found.unreadable === null)).to.have.length(250);
    expect(new Set(dialogs.map(found => found.peerId)).size).to.equal(dialogs.length);
  });

  it('are listed once, also one that moves down meanwhile', async () => {
    const { users, dialogs } = crowd(150);
    dialogs.at(-1)?.messages.unshift(message(1, { from: 5150 }));
    messenger = await startMessenger(world({ users, dialogs }));
    const { sandbox, client } = messenger;
    const listed = await client.withConnection(await signedIn(sandbox, client), async reader => {
      const ids: string[] = [];
      for await (const page of reader.dialogs('main')) {
        if (ids.length === 0) sandbox.deleteNewest('test', 'user:5150');
        ids.push(...page.dialogs.map(({ peerId }) => peerId));
      }
      return ids;
    });
    expect(listed.filter(id => id === '5150')).to.have.length(1);
  });

  it('continue past one whose draft puts it above its messages', async () => {
    const { users, dialogs } = crowd(150);
    // The hundredth, where a page ends: the messenger’s own conversation, with the code, is the first.
    const placed = dialogs.map((one, n) => (n > 0 ? one : { ...one, draftedAt: firstMessageAt + 5052 * 60 + 30 }));
    const { dialogs: listed } = await read(world({ users, dialogs: placed }));
    expect(listed.filter(({ unreadable }) => unreadable === null)).to.have.length(150);
  });

  it('tell what they are and where to find them again', async () => {
    const { dialogs } = await read(
      world({
        users: [
          person(11, { firstName: 'Ann', lastName: 'Ng', username: 'ann' }),
          person(12, { firstName: 'Bot', isBot: true }),
          person(13, { firstName: 'Gone', isDeleted: true }),
          person(777000, { firstName: 'Codes' }),
        ],
        chats: [
          { id: 31, kind: 'channel', title: 'News', username: null },
          { id: 21, kind: 'group', title: 'Flat', username: null },
          { id: 1234567890, kind: 'supergroup', title: 'Town', username: 'town' },
        ],
        dialogs: [
          dialog('user:11', [message(7, { from: 11 })], { unreadCount: 3 }),
          dialog('chat:21', [message(8, { from: 11 })]),
          dialog('channel:1234567890', [message(9, { from: 11 })]),
          ...[12, 13, 777000, owner.id].map(id => dialog(`user:${id}`, [message(id, { from: id })])),
          dialog('channel:31', [message(10)]),
        ],
      }),
    );
    expect(Object.fromEntries(dialogs.map(({ peerId, unreadable }) => [peerId, unreadable]))).to.deep.equal({
      ...{ 11: null, '-21': null, '-1001234567890': null },
      ...{ 12: 'bot', 13: 'deleted', 777000: 'service', [owner.id]: 'self', '-10031': 'channel' },
    });
    expect(named(dialogs, 'Ann Ng')).to.deep.include({
      peerId: '11',
      peerType: 'user',
      username: 'ann',
      unreadable: null,
      topMessageId: 7,
      lastMessageAt: new Date((firstMessageAt + 7 * 60) * 1000),
      unreadCount: 3,
    });
    expect(named(dialogs, 'Ann Ng')?.peer).to.deep.include({ kind: 'user', id: '11' });
    expect(named(dialogs, 'Ann Ng')?.peer.accessHash).to.match(/^-?\d{5,}$/);
    expect(named(dialogs, 'Flat')).to.deep.include({
      peerId: '-21',
      peerType: 'group',
      peer: { kind: 'chat', id: '21', accessHash: '' },
      topMessageId: 8,
    });
    expect(named(dialogs, 'Town')).to.deep.include({ peerId: '-1001234567890', peerType: 'supergroup', username: 'town' });
  });
});
