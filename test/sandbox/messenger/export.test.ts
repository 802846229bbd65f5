import { expect } from 'chai';
import { parseExport } from '../../../sandbox/messenger/export.ts';

const OWNER = { user_id: 9, first_name: 'Ada', last_name: 'Lund', phone_number: '+1 202 555 0107' };
const chat = (fields: object = {}) => ({ name: 'Ben Oduya', type: 'personal_chat', id: 41, messages: [], ...fields });
const account = (...list: object[]) => ({ personal_information: OWNER, chats: { about: '', list } });

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
});
