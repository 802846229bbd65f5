import { MemoryStorage, type Message, tl } from '@mtcute/core';
import { expect } from 'chai';
import type { WorldMessage } from '../../../sandbox/messenger/world.ts';
import { codeOf, startMessenger } from '../../clients/messenger/messenger.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';
import { canFindKeyOf, type IndependentClient, independentClient } from './independentClient.ts';

const PHONE = owner.phone ?? '';
const GUARDED_PHONE = '+34600999888';
const PASSWORD = 'correct horse';
const CROWD = 251;
const [PINNED, ARCHIVED, BOT, DELETED] = [5007, 5009, 5003, 5004];
const CONTACTS = [5001, 5002];

/** Messages of the owner to himself with what a client must read them as, in the order of their ids from 1 on. */
const KINDS: { sent: Partial<WorldMessage>; read: string }[] = [
  { sent: { text: 'Plain' }, read: 'Plain' },
  { sent: { text: 'Look', media: 'photo' }, read: 'Look [photo]' },
  { sent: { text: 'Listen', media: 'voice' }, read: 'Listen [voice]' },
  { sent: { text: 'Watch', media: 'video' }, read: 'Watch [video]' },
  { sent: { text: 'Read', media: 'document', fileName: 'offer.pdf' }, read: 'Read [document offer.pdf]' },
  { sent: { text: '👍', media: 'sticker' }, read: '[sticker]' },
  { sent: { text: 'Here', media: 'location' }, read: 'Here [location]' },
  { sent: { text: 'Ann', media: 'contact' }, read: '[contact]' },
  { sent: { text: 'Which?', media: 'poll' }, read: '[poll]' },
  { sent: { text: 'Heard', forwardedFrom: 'Somebody' }, read: 'Heard (from Somebody)' },
  { sent: { text: 'Yes', replyTo: 1 }, read: 'Yes (to 1)' },
  { sent: { text: '', service: 'Nora pinned a message' }, read: '[custom]' },
];

describe('A client of another make, and of an older layer', () => {
  let server: Awaited<ReturnType<typeof startMessenger>>;
  let storage: MemoryStorage;
  let client: IndependentClient;

  before(async () => {
    const guarded = person(2000, { firstName: 'Ada', phone: GUARDED_PHONE });
    const worlds = [
      world({ ...crowd(), ...places(), dialogs: [...crowd().dialogs, ...places().dialogs] }),
      world({ key: 'guarded', owner: guarded, password: PASSWORD }),
    ];
    server = await startMessenger(...worlds);
    while (!canFindKeyOf(server.sandbox)) {
      await server.stop();
      server = await startMessenger(...worlds);
    }
    storage = new MemoryStorage();
    client = independentClient(server.sandbox, storage);
    await signIn(client, PHONE);
  });
  afterEach(() => server.sandbox.faults.clear());
  after(async () => {
    await client.destroy();
    await server.stop();
  });

  it('is told that a code is wrong, and signs in with the right one', async () => {
    await withClient(async other => {
      const phoneCodeHash = await sendCode(other, PHONE);
      const code = codeOf(server.sandbox, PHONE);
      const wrong = code === '12345' ? '54321' : '12345';
      const refused = other.signIn({ phone: PHONE, phoneCodeHash, phoneCode: wrong });
      expect(await refusalOf(refused)).to.equal('400 PHONE_CODE_INVALID');
      const user = await other.signIn({ phone: PHONE, phoneCodeHash, phoneCode: code });
      expect([user.id, user.firstName, user.phoneNumber]).to.deep.equal([owner.id, 'Nora', PHONE.slice(1)]);
    });
  });

  it('proves that it knows the password, by its own reckoning', async () => {
    await withClient(async other => {
      expect(await refusalOf(signIn(other, GUARDED_PHONE))).to.equal('401 SESSION_PASSWORD_NEEDED');
      expect(await refusalOf(other.getMe())).to.equal('401 SESSION_PASSWORD_NEEDED');
      expect(await refusalOf(other.checkPassword('wrong horse'))).to.equal('400 PASSWORD_HASH_INVALID');
      expect((await other.checkPassword(PASSWORD)).id).to.equal(2000);
      expect((await other.getMe()).firstName).to.equal('Ada');
    });
  });

  it('reads the list of conversations, each once', async () => {
    const found = await Array.fromAsync(client.iterDialogs());
    const ids = found.map(each => each.peer.id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.filter(id => id >= 5000 && id < 5000 + CROWD)).to.have.length(CROWD - 1);
    expect([ids[0], found[0]?.isPinned]).to.deep.equal([PINNED, true]);
    const archived = await Array.fromAsync(client.iterDialogs({ archived: 'only' }));
    expect(archived.map(each => each.peer.id)).to.deep.equal([ARCHIVED]);
  });

  it('reads every kind of message', async () => {
    const all = await client.getHistory('me', { reverse: true });
    expect(all.map(wordsOf)).to.deep.equal(KINDS.map(kind => kind.read));
  });

  it("reads the contacts, with their phones, and nobody else's", async () => {
    const contacts = await client.getContacts();
    const phones = CONTACTS.map(id => [id, phoneOf(id).slice(1)]);
    expect(contacts.map(each => [each.id, each.phoneNumber])).to.deep.equal(phones);
    const [stranger] = (await client.getHistory(5000)).map(each => each.sender);
    expect(stranger).to.include({ id: 5000, phoneNumber: null });
  });

  async function withClient(use: (other: IndependentClient) => Promise<void>): Promise<void> {
    const other = independentClient(server.sandbox);
    try {
      await use(other);
    } finally {
      await other.destroy();
    }
  }

  async function sendCode(other: IndependentClient, phone: string): Promise<string> {
    const sent = await other.sendCode({ phone });
    if (!('phoneCodeHash' in sent)) throw new Error('No code was sent');
    return sent.phoneCodeHash;
  }

  async function signIn(other: IndependentClient, phone: string): Promise<void> {
    const phoneCodeHash = await sendCode(other, phone);
    await other.signIn({ phone, phoneCodeHash, phoneCode: codeOf(server.sandbox, phone) });
  }
});

/** The messenger's word for what went wrong and its code; an empty one when nothing did. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    return error instanceof tl.RpcError ? `${error.code} ${error.text}` : String(error);
  }
}

function wordsOf(read: Message): string {
  const { media, action, forward, replyToMessage, text } = read;
  const fileName = media?.type === 'document' ? ` ${media.fileName}` : '';
  const kind = media?.type ?? action?.type;
  const words = [
    text,
    kind && `[${kind}${fileName}]`,
    forward && `(from ${forward.sender.displayName})`,
    replyToMessage && `(to ${replyToMessage.id})`,
  ];
  return words.filter(Boolean).join(' ');
}

const phoneOf = (id: number) => `+3461${id}000`;

function crowd() {
  const ids = Array.from({ length: CROWD }, (_, index) => 5000 + index);
  const about = (id: number) => ({
    phone: phoneOf(id),
    isContact: CONTACTS.includes(id),
    isBot: id === BOT,
    isDeleted: id === DELETED,
  });
  const place = (id: number) => ({ pinned: id === PINNED, archived: id === ARCHIVED });
  return {
    users: ids.map(id => person(id, about(id))),
    dialogs: ids.map(id => dialog(`user:${id}`, [message(id, { from: id })], place(id))),
  };
}

function places() {
  const saved = KINDS.map(({ sent }, index) => message(index + 1, sent));
  return {
    chats: (['group', 'supergroup', 'channel'] as const).map((kind, at) => {
      return { id: 21 + at, kind, title: `Chat ${21 + at}`, username: null };
    }),
    dialogs: [
      dialog(`user:${owner.id}`, saved),
      dialog('chat:21', [message(4001, { from: 5001, text: 'In Chat 21' })]),
      dialog('channel:22', [message(1, { from: 5001, text: 'In Chat 22' })]),
      dialog('channel:23', [message(1, { from: 5001, text: 'In Chat 23' })]),
    ],
  };
}
