import { expect } from 'chai';
import { parseExport } from '../../../sandbox/messenger/export.ts';

const OWNER = { user_id: 9, first_name: 'Ada', last_name: 'Lund', phone_number: '+1 202 555 0107' };
const chat = (fields: object = {}) => ({ name: 'Ben Oduya', type: 'personal_chat', id: 41, messages: [], ...fields });
const account = (...list: object[]) => ({ personal_information: OWNER, chats: { about: '', list } });
let second = 0;
function message(fields: object) {
  second += 1;
  const date = new Date(Date.UTC(2026, 10, 2, 9, 0, second)).toISOString().slice(0, 19);
  return { type: 'message', date, date_unixtime: String(Date.parse(`${date}Z`) / 1000), ...fields };
}

describe('An export of a whole account', () => {
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
