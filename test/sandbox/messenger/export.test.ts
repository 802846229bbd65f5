import { expect } from 'chai';
import { parseExport } from '../../../sandbox/messenger/export.ts';
import { account, chat, dialog, message } from './export/records.ts';

describe('An export of a whole account', () => {
  it('gives its owner, with the phone in E.164 and the username without the @', () => {
    const { owner, password, nextDays } = parseExport(account());
    expect(owner).to.include({ id: 9, firstName: 'Ada', lastName: 'Lund', phone: '+12025550107', username: 'adalund' });
    expect(password).to.equal(null);
    expect(nextDays).to.deep.equal([]);
  });

  it('turns each kind of chat into its dialog', () => {
    const types = [
      'bot_chat',
      'saved_messages',
      'verification_codes',
      'private_group',
      'public_supergroup',
      'private_channel',
    ];
    const world = parseExport(account(chat(), ...types.map((type, place) => chat({ type, id: 50 + place }))));
    expect(world.dialogs.map(({ key }) => key)).to.deep.equal([
      'user:41',
      'user:50',
      'user:9',
      'user:52',
      'chat:53',
      'channel:54',
      'channel:55',
    ]);
    expect(world.chats.map(({ kind }) => kind)).to.deep.equal(['group', 'supergroup', 'channel']);
    expect(world.users.filter(({ isBot }) => isBot).map(({ id }) => id)).to.deep.equal([50, 52]);
  });

  it('makes a contact of a chat with a phone, and of everyone in the contact list', () => {
    const list = [{ user_id: 42, first_name: 'Mary Jane', last_name: 'Cole', phone_number: '+44 7700 900123' }];
    const chats = [chat({ phone: '+49 171 3920099' }), chat({ id: 42, name: 'Mary Jane Cole' }), chat({ id: 43 })];
    const { users } = parseExport({ ...account(...chats), contacts: { list } });
    const byId = new Map(users.map(user => [user.id, user]));
    expect(byId.get(41)).to.include({ phone: '+491713920099', isContact: true });
    expect(byId.get(42)).to.include({
      firstName: 'Mary Jane',
      lastName: 'Cole',
      phone: '+447700900123',
      isContact: true,
    });
    expect(byId.get(43)).to.include({ phone: null, isContact: false });
  });

  it('knows every sender in a group except anonymous ones', () => {
    const messages = [
      message({ from: 'Ada Lund', from_id: 'user9' }),
      message({ from: 'Ivo Bakker', from_id: 'user77' }),
      message({ from: 'Yard', from_id: 'channel60' }),
    ];
    const world = parseExport(account(chat({ type: 'private_supergroup', id: 60, name: 'Yard', messages })));
    expect(dialog(world, 'channel:60').messages.map(({ from }) => from)).to.deep.equal([9, 77, null]);
    expect(world.users.find(({ id }) => id === 77)).to.include({ firstName: 'Ivo', lastName: 'Bakker' });
  });

  it('keeps a deleted account as one', () => {
    const messages = [message({ from: null, from_id: 'user41' })];
    const { users } = parseExport(account(chat({ name: null, messages })));
    expect(users.find(({ id }) => id === 41)).to.include({ firstName: '', isDeleted: true });
  });

  it('has a key that depends on the content alone', () => {
    const json = account(chat({ messages: [message()] }));
    expect(parseExport(json).key).to.match(/^export-[0-9a-f]{12}$/);
    expect(parseExport(structuredClone(json)).key).to.equal(parseExport(json).key);
    expect(parseExport(account(chat())).key).to.not.equal(parseExport(json).key);
  });

  it('keeps ids that already are one counter over all chats', () => {
    const [first, second, third] = [message(), message(), message()];
    const world = parseExport(account(chat({ messages: [first, third] }), chat({ id: 42, messages: [second] })));
    expect(dialog(world, 'user:41').messages.map(({ id }) => id)).to.deep.equal([first.id, third.id]);
    expect(dialog(world, 'user:42').messages.map(({ id }) => id)).to.deep.equal([second.id]);
  });

  it('renumbers ids by date when they start at 1 in each chat, replies included', () => {
    const a1 = message({ id: 1, text: 'a1' });
    const b1 = message({ id: 1, text: 'b1' });
    const b2 = message({ id: 2, text: 'b2', reply_to_message_id: 1 });
    const a2 = message({ id: 2, text: 'a2', reply_to_message_id: 1 });
    const world = parseExport(account(chat({ messages: [a1, a2] }), chat({ id: 42, messages: [b1, b2] })));
    const [a, b] = world.dialogs.map(({ messages }) =>
      messages.map(({ id, text, replyTo }) => ({ id, text, replyTo })),
    );
    expect(a).to.deep.equal([
      { id: 1, text: 'a1', replyTo: null },
      { id: 4, text: 'a2', replyTo: 1 },
    ]);
    expect(b).to.deep.equal([
      { id: 2, text: 'b1', replyTo: null },
      { id: 3, text: 'b2', replyTo: 2 },
    ]);
  });

  it('keeps the order of a chat when a later message has an earlier date', () => {
    const [early, late] = [message({ text: 'early' }), message({ text: 'late' })];
    const world = parseExport(account(chat({ messages: [late, early] })));
    expect(dialog(world, 'user:41').messages.map(({ id, text }) => [id, text])).to.deep.equal([
      [1, 'late'],
      [2, 'early'],
    ]);
  });

  it('counts the negative ids of a group that became a supergroup from 1, in a counter of its own', () => {
    const messages = [message({ id: -999999998 }), message({ id: -999999997 }), message({ id: 2 })];
    const [other] = [message()];
    const group = chat({ type: 'private_supergroup', id: 60, messages });
    const world = parseExport(account(group, chat({ messages: [other] })));
    expect(dialog(world, 'channel:60').messages.map(({ id }) => id)).to.deep.equal([1, 2, 3]);
    expect(dialog(world, 'user:41').messages.map(({ id }) => id)).to.deep.equal([other.id]);
  });

  it('drops an answer that points into another chat or at a message that is not there', () => {
    const elsewhere = message({ reply_to_message_id: 5, reply_to_peer_id: 'channel60' });
    const world = parseExport(account(chat({ messages: [elsewhere, message({ reply_to_message_id: 99999 })] })));
    expect(dialog(world, 'user:41').messages.map(({ replyTo }) => replyTo)).to.deep.equal([null, null]);
  });

  it('understands an account exported before 2021, whose peers are numbers', () => {
    const old = 2 ** 32;
    const messages = [message({ from_id: old + 41 }), message({ from_id: old + 9 })];
    const world = parseExport(account(chat({ id: old + 41, messages })));
    expect(dialog(world, 'user:41').messages.map(({ from }) => from)).to.deep.equal([41, 9]);
  });
});

describe('An export of a single chat', () => {
  it('takes the sender who is not the partner as the owner, with a made-up phone', () => {
    const messages = [
      message({ from: 'Ben Oduya', from_id: 'user41' }),
      message({ from: 'Ada Maria Lund', from_id: 'user9' }),
    ];
    const world = parseExport(chat({ messages }));
    expect(world.owner).to.include({ id: 9, firstName: 'Ada', lastName: 'Maria Lund', phone: '+12025550143' });
    expect(dialog(world, 'user:41').messages.map(({ from }) => from)).to.deep.equal([41, 9]);
  });

  it('invents an owner for a group, apart from everyone in it', () => {
    const messages = [message({ from: 'Ben Oduya', from_id: 'user1' }), message({ from: 'Ivo', from_id: 'user2' })];
    const world = parseExport(chat({ type: 'private_group', messages }));
    expect(world.owner).to.include({ id: 3, firstName: 'Export', lastName: 'Owner' });
    expect(dialog(world, 'chat:41').messages.map(({ from }) => from)).to.deep.equal([1, 2]);
  });

  it('can be the saved messages', () => {
    const messages = [message({ from: 'Ada Lund', from_id: 'user9' })];
    const world = parseExport({ type: 'saved_messages', id: 9, messages });
    expect(world.owner).to.include({ id: 9, firstName: 'Ada' });
    expect(world.dialogs.map(({ key }) => key)).to.deep.equal(['user:9']);
  });
});
