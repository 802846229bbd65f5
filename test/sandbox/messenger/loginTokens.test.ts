import { expect } from 'chai';
import { Api } from 'telegram';
import * as messenger from './client.ts';
import { PHONE, person, world } from './worlds.ts';

const PASSWORD = 'correct horse';
const exportRequest = () => new Api.auth.ExportLoginToken({ apiId: 1, apiHash: 'hash', exceptIds: [] });

describe('A code to scan at the messenger sandbox', () => {
  let server: messenger.Started;

  before(async () => {
    server = await messenger.startServer(
      world(),
      world({ key: 'guarded', owner: person(2000), password: PASSWORD }),
      world({ key: 'distant', owner: person(4000), dc: 4 }),
    );
  });
  after(() => server.stop());

  /** As the library's authors do it: it waits for the update, asks again, and changes the data centre or asks for the password. */
  async function signInByCode(worldKey: string): Promise<string> {
    const { result } = await messenger.withClient(server.sandbox, '', async client => {
      const user = await client.signInUserWithQrCode(
        { apiId: 1, apiHash: 'hash' },
        {
          qrCode: async ({ token }) => server.sandbox.scan(worldKey, `tg://login?token=${token.toString('base64url')}`),
          password: async () => PASSWORD,
          onError: error => Promise.reject(error),
        },
      );
      return String(user.id);
    });
    return result;
  }

  async function exported(): Promise<{ session: string; token: Buffer }> {
    const { result, session } = await messenger.withClient(server.sandbox, '', client =>
      client.invoke(exportRequest()),
    );
    if (!(result instanceof Api.auth.LoginToken)) throw new Error(result.className);
    return { session, token: result.token };
  }

  it('is served as the library expects it: at home, with a password, in another data centre', async () => {
    expect(await signInByCode('test')).to.equal('1000');
    expect(await signInByCode('guarded')).to.equal('2000');
    expect(await signInByCode('distant')).to.equal('4000');
  });

  it('is accepted once, by a device that is signed in, over the wire', async () => {
    const phone = await messenger.signIn(server.sandbox, PHONE);
    const { session, token } = await exported();
    const accept = () => messenger.call(server.sandbox, phone, new Api.auth.AcceptLoginToken({ token }));
    expect((await accept()).className).to.equal('Authorization');
    expect(await messenger.refusalOf(accept())).to.equal('AUTH_TOKEN_ALREADY_ACCEPTED');
    expect((await messenger.call(server.sandbox, session, exportRequest())).className).to.equal(
      'auth.LoginTokenSuccess',
    );
    const me = await messenger.withClient(server.sandbox, session, client => client.getMe());
    expect(String(me.result.id)).to.equal('1000');
  });

  it('is refused when it is unknown, too old, or accepted by someone who is not signed in', async () => {
    const phone = await messenger.signIn(server.sandbox, PHONE);
    const { session, token } = await exported();
    const accept = (as: string, bytes: Buffer) =>
      messenger.refusalOf(messenger.call(server.sandbox, as, new Api.auth.AcceptLoginToken({ token: bytes })));
    expect(await accept(phone, Buffer.from('invented'))).to.equal('AUTH_TOKEN_INVALID');
    expect(await accept(session, token)).to.equal('AUTH_KEY_UNREGISTERED');
    server.sandbox.faults.expireLoginTokens();
    expect(await accept(phone, token)).to.equal('AUTH_TOKEN_EXPIRED');
  });

  it('can’t be imported before it is accepted', async () => {
    const { session, token } = await exported();
    const importing = messenger.call(server.sandbox, session, new Api.auth.ImportLoginToken({ token }));
    expect(await messenger.refusalOf(importing)).to.equal('AUTH_TOKEN_INVALID');
  });

  it('outlives a restart', async () => {
    const { session, token } = await exported();
    await server.restart();
    server.sandbox.scan('test', `tg://login?token=${token.toString('base64url')}`);
    await server.restart();
    expect((await messenger.call(server.sandbox, session, exportRequest())).className).to.equal(
      'auth.LoginTokenSuccess',
    );
  });

  it('is not shown to keys of no application', async () => {
    const request = new Api.auth.ExportLoginToken({ apiId: 1, apiHash: '0'.repeat(32), exceptIds: [] });
    expect(await messenger.refusalOf(messenger.call(server.sandbox, '', request))).to.equal('API_ID_INVALID');
  });
});
