import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import type { Connection } from '../../../src/clients/messenger/connection.ts';
import type { ConnectionOptions } from '../../../src/clients/messenger/libraryClient.ts';
import { sendCode } from '../../../src/clients/messenger/signIn.ts';
import { owner, person, world } from '../../support/worlds.ts';
import { errorOf } from './errorOf.ts';
import { allDialogs, codeOf, signedIn, startMessenger } from './messenger.ts';

const phone = '+34600111222';
const guardedPhone = '+34600333444';
const password = 'correct horse';

describe('Signing in at the messenger', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;

  before(async () => {
    const guarded = person(2000, { firstName: 'Ada', username: 'ada', phone: guardedPhone });
    messenger = await startMessenger(world(), world({ key: 'guarded', owner: guarded, password }));
  });

  after(() => messenger.stop());
  afterEach(() => messenger.sandbox.faults.clear());

  async function awaitingPassword(): Promise<string> {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode(guardedPhone);
    const code = codeOf(sandbox, guardedPhone);
    return (await client.signIn({ ...sent, phone: guardedPhone, code })).session;
  }

  it('takes a phone and its code, and says who signed in', async () => {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode(phone);
    expect(sent.delivery).to.equal('app');
    const result = await client.signIn({ ...sent, phone, code: codeOf(sandbox, phone) });
    expect(result).to.deep.include({
      needsPassword: false,
      user: { id: String(owner.id), firstName: 'Nora', lastName: 'Lind', username: '', phone },
    });
    expect(await allDialogs(client, result.session)).to.be.an('array');
  });

  it('says that the code comes by text message where no other device shows it', async () => {
    expect(await messenger.client.sendCode('+34600999888')).to.include({ delivery: 'sms' });
  });

  it('asks for the password of an account that has one, and takes it', async () => {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode(guardedPhone);
    const code = codeOf(sandbox, guardedPhone);
    const halfway = await client.signIn({ ...sent, phone: guardedPhone, code });
    expect(halfway.needsPassword).to.equal(true);
    const result = await client.checkPassword({ session: halfway.session, password });
    expect(result).to.deep.include({ needsPassword: false });
    expect('user' in result && result.user).to.include({ firstName: 'Ada', username: 'ada', phone: guardedPhone });
    expect(await allDialogs(client, result.session)).to.be.an('array');
  });

  it('refuses a wrong password and takes the right one afterwards', async () => {
    const { client } = messenger;
    const session = await awaitingPassword();
    const error = await errorOf(client.checkPassword({ session, password: 'wrong' }));
    expect(error).to.include({ kind: 'permanent', code: 'PASSWORD_INVALID' });
    expect((await client.checkPassword({ session, password })).needsPassword).to.equal(false);
  });

  it('refuses a wrong code and takes the right one afterwards', async () => {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode(phone);
    const code = codeOf(sandbox, phone);
    const wrong = code === '12345' ? '54321' : '12345';
    const error = await errorOf(client.signIn({ ...sent, phone, code: wrong }));
    expect(error).to.include({ kind: 'permanent', code: 'CODE_INVALID' });
    expect((await client.signIn({ ...sent, phone, code })).needsPassword).to.equal(false);
  });

  it('refuses a phone without an account, and never signs it up', async () => {
    const { client, sandbox } = messenger;
    const sent = await client.sendCode('+34600999888');
    const error = await errorOf(client.signIn({ ...sent, phone: '+34600999888', code: '22222' }));
    expect(error).to.include({ kind: 'permanent', code: 'PHONE_UNKNOWN' });
    expect(sandbox.calls()).not.to.have.property('auth.SignUp');
  });

  it('says so when Telegram wants to be paid for a code', async () => {
    const about = { storeProduct: 'code', phoneCodeHash: 'hash', supportEmailAddress: '', supportEmailSubject: '' };
    const bill = { premiumDays: 7, currency: 'USD', amount: bigInt(99) };
    const answer = new Api.auth.SentCodePaymentRequired({ ...about, ...bill });
    const connection = { call: async () => answer } as unknown as Connection;
    const app = { apiId: 1, apiHash: 'hash' } as ConnectionOptions;
    expect(await errorOf(sendCode(connection, app, phone))).to.include({ kind: 'permanent', code: 'CODE_COSTS' });
  });

  it('says how long to wait when codes were asked for too often', async () => {
    messenger.sandbox.faults.next({ on: 'auth.SendCode', status: 420, message: 'FLOOD_WAIT_42' });
    const started = Date.now();
    const error = await errorOf(messenger.client.sendCode(phone));
    expect(error).to.include({ kind: 'rateLimited', code: 'FLOOD_WAIT', retryAfterSeconds: 42 });
    expect(Date.now() - started).to.be.below(20_000);
    expect(messenger.reported).to.include('FLOOD_WAIT auth.SendCode: FLOOD_WAIT_42');
  });

  it('ends with logging out, after which the session is over', async () => {
    const { client, sandbox } = messenger;
    const session = await signedIn(sandbox, client);
    await client.logOut(session);
    expect(await errorOf(allDialogs(client, session))).to.include({ kind: 'auth', code: 'SESSION_EXPIRED' });
  });
});
