import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { Api } from 'telegram';
import { StringSession } from 'telegram/sessions/index.js';
import { addressesOf, listenAsDataCentres } from '../../../sandbox/messenger/dataCentres.ts';
import { messengerPort } from '../../support/messengerPort.ts';
import * as messenger from './client.ts';
import { PHONE, person, world } from './worlds.ts';

const FAR_PHONE = '+34600444444';

describe('The data centres of the messenger sandbox', () => {
  let server: messenger.Started;

  before(async () => {
    const far = world({ key: 'far', dc: 4, owner: person(4000, { phone: FAR_PHONE }) });
    server = await messenger.startServer(world(), far);
  });
  after(() => server.stop());

  it('send a phone to the one it lives in', async () => {
    server.sandbox.resetCalls();
    const sent = await messenger.sendCode(server.sandbox, FAR_PHONE);
    expect(server.sandbox.calls()).to.include({ 'auth.SendCode': 2 });
    expect(new StringSession(sent.session)).to.include({ dcId: 4, serverAddress: '127.0.0.4' });
    const home = await messenger.sendCode(server.sandbox, PHONE);
    expect(new StringSession(home.session)).to.include({ dcId: 2, serverAddress: '127.0.0.2' });
  });

  it('name each other', async () => {
    const session = await messenger.signIn(server.sandbox, FAR_PHONE);
    const config = await messenger.call(server.sandbox, session, new Api.help.GetConfig());
    expect(config.thisDc).to.equal(4);
    const addresses = config.dcOptions.map(({ id, ipAddress, port }) => [id, ipAddress, port]);
    const { port } = server.sandbox;
    expect(addresses).to.deep.equal([1, 2, 3, 4, 5].map(id => [id, `127.0.0.${id}`, port]));
  });

  it('have their keys each for itself', async () => {
    const session = new StringSession(await messenger.signIn(server.sandbox, FAR_PHONE));
    await session.load();
    const key = session.authKey;
    session.setDC(3, '127.0.0.3', server.sandbox.port);
    session.authKey = key;
    const reading = messenger.call(server.sandbox, session.save(), messenger.dialogsRequest());
    expect(await messenger.refusalOf(reading)).to.contain('was lost');
  });

  it('keep signed-in keys and accounts over a restart', async () => {
    const session = await messenger.signIn(server.sandbox, FAR_PHONE);
    await server.restart();
    const { result } = await messenger.withClient(server.sandbox, session, client => client.getMe());
    expect(String(result.id)).to.equal('4000');
  });
});

describe('A machine the messenger sandbox listens on', () => {
  it('is one data centre for all where it has no more addresses, and says so', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: line => void lines.push(line) });
    const served: number[] = [];
    const serve = (socket: Socket, id: number) => {
      served.push(id);
      socket.end();
    };
    const port = await messengerPort();
    const nobodysHost = (id: number) => `192.0.2.${id}`;
    const listening = await listenAsDataCentres(port, serve, { hostOf: nobodysHost, log });
    try {
      await once(connect(port, '127.0.0.1').resume(), 'close');
      expect(served).to.deep.equal([2]);
      const hosts = addressesOf(listening.dataCentres).map(({ id, host }) => [id, host]);
      expect(hosts).to.deep.equal([1, 2, 3, 4, 5].map(id => [id, '127.0.0.1']));
      expect(lines.join()).to.contain('one data centre');
    } finally {
      await listening.stop();
    }
  });

  it('is not used at all when the port is taken on one of its addresses', async () => {
    const port = await messengerPort();
    const other = createServer().listen(port, '127.0.0.4');
    await once(other, 'listening');
    const failure = await listenAsDataCentres(port, () => {}).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'EADDRINUSE' });
    other.close();
    await once(other, 'close');
    const listening = await listenAsDataCentres(port, () => {});
    expect([...listening.dataCentres.keys()]).to.deep.equal([1, 2, 3, 4, 5]);
    await listening.stop();
  });
});
