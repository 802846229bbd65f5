import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import type { Connection } from '../../../src/clients/messenger/connection.ts';
import type { ConnectionOptions } from '../../../src/clients/messenger/libraryClient.ts';
import { sendCode } from '../../../src/clients/messenger/signIn.ts';
import { person, world } from '../../support/worlds.ts';
import { errorOf } from './errorOf.ts';
import { codeOf, startMessenger } from './messenger.ts';

const phone = '+34600111222';
const guardedPhone = '+34600333444';
const hiddenPhone = '+34600555666';
const password = 'correct horse';

describe('Signing in at the messenger', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;

  before(async () => {
    const guarded = person(2000, { firstName: 'Ada', username: 'ada', phone: guardedPhone });
    const hidden = person(2001, { firstName: 'N\u2060ora\u202e', lastName: '\u{e0041}', phone: hiddenPhone });
    messenger = await startMessenger(
      world(),
      world({ key: 'hidden', owner: hidden }),
      world({ key: 'guarded', owner: guarded, password }),
    );
  });

  after(() => messenger.stop());
  afterEach(() => messenger.sandbox.faults.clear());

  it('says that the code comes by text message where no other device shows it', async () => {
    expect(await messenger.client.sendCode('+34600999888')).to.include({ delivery: 'sms' });
  });

  it('tells what can be seen of the name', async () => {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode(hiddenPhone);
    const result = await client.signIn({ ...sent, phone: hiddenPhone, code: codeOf(sandbox, hiddenPhone) });
    expect(result).to.have.property('user').that.includes({ firstName: 'Nora', lastName: '' });
  });

  it('says so when Telegram wants to be paid for a code', async () => {
    const about = { storeProduct: 'code', phoneCodeHash: 'hash', supportEmailAddress: '', supportEmailSubject: '' };
    const bill = { premiumDays: 7, currency: 'USD', amount: bigInt(99) };
    const answer = new Api.auth.SentCodePaymentRequired({ ...about, ...bill });
    const connection = { call: async () => answer } as unknown as Connection;
    const app = { apiId: 1, apiHash: 'hash' } as ConnectionOptions;
    expect(await errorOf(sendCode(connection, app, phone))).to.include({ kind: 'permanent', code: 'CODE_COSTS' });
  });
});
