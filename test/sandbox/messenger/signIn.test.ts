import { expect } from 'chai';
import { Api, password } from 'telegram';
import * as messenger from './client.ts';
import { dialog, message, PHONE, person, world } from './worlds.ts';

const SECOND_PHONE = '+34600999888';

describe('Signing in at the messenger sandbox', () => {
  let server: messenger.Started;

  beforeEach(async () => {
    const secret = world({ key: 'secret', owner: person(2000, { phone: SECOND_PHONE }), password: 'correct horse' });
    server = await messenger.startServer(world(), secret);
  });
  afterEach(() => server.stop());

  it('takes a code in a later process than the one that asked for it', async () => {
    const sent = await messenger.sendCode(server.sandbox, PHONE);
    const code = messenger.codeFor(server.sandbox, PHONE);
    const answer = await messenger.call(server.sandbox, sent.session, messenger.signInRequest(PHONE, sent, code));
    expect(answer.className).to.equal('auth.Authorization');
    const me = await messenger.withClient(server.sandbox, sent.session, client => client.getMe());
    expect(me.result.phone).to.equal('34600111222');
    expect(messenger.codeFor(server.sandbox, PHONE)).to.equal('');
  });

  it('asks for the password, and takes only the right one', async () => {
    const session = await passwordPending();
    expect(await messenger.refusalOf(checkPassword(session, 'wrong horse'))).to.equal('PASSWORD_HASH_INVALID');
    const answer = await checkPassword(session, 'correct horse');
    expect(answer.className).to.equal('auth.Authorization');
    const me = await messenger.withClient(server.sandbox, session, client => client.getMe());
    expect(String(me.result.id)).to.equal('2000');
  });

  it('rejects reading before the password', async () => {
    const session = await passwordPending();
    const reading = messenger.call(server.sandbox, session, messenger.dialogsRequest());
    expect(await messenger.refusalOf(reading)).to.equal('SESSION_PASSWORD_NEEDED');
  });

  it('takes an answer to one password question only once', async () => {
    const session = await passwordPending();
    const refusals = await messenger.withClient(server.sandbox, session, async client => {
      const question = await client.invoke(new Api.account.GetPassword());
      const proof = await password.computeCheck(question, 'wrong horse');
      const attempt = () => messenger.refusalOf(client.invoke(new Api.auth.CheckPassword({ password: proof })));
      return [await attempt(), await attempt()];
    });
    expect(refusals.result).to.deep.equal(['PASSWORD_HASH_INVALID', 'SRP_ID_INVALID']);
  });

  it('refuses a wrong code and, after five of them, the right one too', async () => {
    const sent = await messenger.sendCode(server.sandbox, PHONE);
    const code = messenger.codeFor(server.sandbox, PHONE);
    const wrong = code === '00000' ? '11111' : '00000';
    const refusals = await messenger.withClient(server.sandbox, sent.session, async client => {
      const tries: string[] = [];
      for (const digits of [wrong, wrong, wrong, wrong, wrong, code]) {
        tries.push(await messenger.refusalOf(client.invoke(messenger.signInRequest(PHONE, sent, digits))));
      }
      return tries;
    });
    expect(refusals.result).to.deep.equal([...Array(5).fill('PHONE_CODE_INVALID'), 'PHONE_CODE_EXPIRED']);
  });

  it('refuses a code that is too old', async () => {
    const sent = await messenger.sendCode(server.sandbox, PHONE);
    const code = messenger.codeFor(server.sandbox, PHONE);
    server.sandbox.faults.expireCodes(PHONE);
    const attempt = messenger.call(server.sandbox, sent.session, messenger.signInRequest(PHONE, sent, code));
    expect(await messenger.refusalOf(attempt)).to.equal('PHONE_CODE_EXPIRED');
  });

  it('refuses a code from another auth key than the one it was sent to', async () => {
    const sent = await messenger.sendCode(server.sandbox, PHONE);
    const code = messenger.codeFor(server.sandbox, PHONE);
    const attempt = messenger.call(server.sandbox, '', messenger.signInRequest(PHONE, sent, code));
    expect(await messenger.refusalOf(attempt)).to.equal('PHONE_CODE_EXPIRED');
  });

  it('sends the same code again under a new hash', async () => {
    const sent = await messenger.sendCode(server.sandbox, PHONE);
    const code = messenger.codeFor(server.sandbox, PHONE);
    const request = new Api.auth.ResendCode({ phoneNumber: PHONE, phoneCodeHash: sent.codeHash });
    const again = await messenger.call(server.sandbox, sent.session, request);
    if (!(again instanceof Api.auth.SentCode)) throw new Error(again.className);
    const old = messenger.call(server.sandbox, sent.session, messenger.signInRequest(PHONE, sent, code));
    expect(await messenger.refusalOf(old)).to.equal('PHONE_CODE_EXPIRED');
    const renewed = { ...sent, codeHash: again.phoneCodeHash };
    const answer = await messenger.call(server.sandbox, sent.session, messenger.signInRequest(PHONE, renewed, code));
    expect(answer.className).to.equal('auth.Authorization');
  });

  it('rejects invalid phone numbers', async () => {
    expect(await messenger.refusalOf(messenger.sendCode(server.sandbox, '12'))).to.equal('PHONE_NUMBER_INVALID');
  });

  it('offers a new account to a phone that has none', async () => {
    const sent = await messenger.sendCode(server.sandbox, '+34611000000');
    const request = messenger.signInRequest('+34611000000', sent, '22222');
    const answer = await messenger.call(server.sandbox, sent.session, request);
    expect(answer.className).to.equal('auth.AuthorizationSignUpRequired');
  });

  it('ends with logging out, after which the session is worth nothing', async () => {
    const session = await messenger.signIn(server.sandbox, PHONE);
    expect((await messenger.call(server.sandbox, session, new Api.auth.LogOut())).className).to.equal('auth.LoggedOut');
    const reading = messenger.call(server.sandbox, session, messenger.dialogsRequest());
    expect(await messenger.refusalOf(reading)).to.equal('AUTH_KEY_UNREGISTERED');
  });

  it('shows the code in the service chat', async () => {
    const session = await messenger.signIn(server.sandbox, PHONE);
    await messenger.sendCode(server.sandbox, PHONE);
    const dialogs = await messenger.call(server.sandbox, session, messenger.dialogsRequest());
    if (!(dialogs instanceof Api.messages.Dialogs)) throw new Error(dialogs.className);
    const texts = dialogs.messages.map(each => (each instanceof Api.Message ? each.message : ''));
    expect(texts.join()).to.contain(`Login code: ${messenger.codeFor(server.sandbox, PHONE)}.`);
  });

  async function passwordPending(): Promise<string> {
    const sent = await messenger.sendCode(server.sandbox, SECOND_PHONE);
    const request = messenger.signInRequest(SECOND_PHONE, sent, messenger.codeFor(server.sandbox, SECOND_PHONE));
    const refusal = await messenger.refusalOf(messenger.call(server.sandbox, sent.session, request));
    expect(refusal).to.equal('SESSION_PASSWORD_NEEDED');
    return sent.session;
  }

  async function checkPassword(session: string, given: string) {
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const question = await client.invoke(new Api.account.GetPassword());
      return client.invoke(new Api.auth.CheckPassword({ password: await password.computeCheck(question, given) }));
    });
    return result;
  }
});

describe('A messenger sandbox that is started again', () => {
  let server: messenger.Started;

  beforeEach(async () => {
    server = await messenger.startServer(world({ users: [person(5)], dialogs: [dialog('user:5', [message(1)])] }));
  });
  afterEach(() => server.stop());

  it('still knows who is signed in, under a new server key', async () => {
    const session = await messenger.signIn(server.sandbox, PHONE);
    const before = server.sandbox.publicKeyPem;
    await server.restart();
    expect(server.sandbox.publicKeyPem).not.to.equal(before);
    const me = await messenger.withClient(server.sandbox, session, client => client.getMe());
    expect(String(me.result.id)).to.equal('1000');
  });

  it('still takes the code it sent before', async () => {
    const sent = await messenger.sendCode(server.sandbox, PHONE);
    await server.restart();
    const code = messenger.codeFor(server.sandbox, PHONE);
    const answer = await messenger.call(server.sandbox, sent.session, messenger.signInRequest(PHONE, sent, code));
    expect(answer.className).to.equal('auth.Authorization');
  });

  it('still has the messages that arrived, and the access hashes clients were given', async () => {
    const session = await messenger.signIn(server.sandbox, PHONE);
    server.sandbox.addMessages('test', 'user:5', [{ from: 5, text: 'One more thing' }]);
    const before = await conversation(session);
    await server.restart();
    const after = await conversation(session);
    expect(after.texts).to.deep.equal(['One more thing', 'Message 1']);
    expect(after).to.deep.equal(before);
  });

  async function conversation(session: string) {
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const dialogs = await client.invoke(messenger.dialogsRequest());
      if (!(dialogs instanceof Api.messages.Dialogs)) throw new Error(dialogs.className);
      const user = dialogs.users.find(each => each.id.eq(5));
      if (!(user instanceof Api.User) || !user.accessHash) throw new Error('No such person');
      const peer = new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash });
      const history = await client.invoke(messenger.historyRequest(peer));
      if (!(history instanceof Api.messages.Messages)) throw new Error(history.className);
      const texts = history.messages.map(each => (each instanceof Api.Message ? each.message : ''));
      return { texts, accessHash: String(user.accessHash) };
    });
    return result;
  }
});
