import { expect } from 'chai';
import { parseExport } from '../../../sandbox/messenger/export.ts';
import { account, chat, dialog, message } from './exportRecords.ts';

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
});
