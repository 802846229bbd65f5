import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import bigInt, { type BigInteger } from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import { ConnectionTCPAbridged } from 'telegram/network/connection/TCPAbridged.js';
import { ConnectionTCPFull } from 'telegram/network/connection/TCPFull.js';
import { ConnectionTCPObfuscated } from 'telegram/network/connection/TCPObfuscated.js';
import { serializeBytes } from 'telegram/tl/index.js';
import { GZIP_PACKED, uint32 } from '../../../sandbox/messenger/tl.ts';
import * as messenger from './client.ts';
import { longConversation, PHONE, world } from './worlds.ts';

describe('The protocol of the messenger sandbox', () => {
  let server: messenger.Started;
  let session: string;

  before(async () => {
    server = await messenger.startServer(world(longConversation(100)));
    session = await messenger.signIn(server.sandbox, PHONE);
  });
  afterEach(() => server.sandbox.faults.clear());
  after(() => server.stop());

  for (const [name, connection] of Object.entries({
    full: ConnectionTCPFull,
    abridged: ConnectionTCPAbridged,
    obfuscated: ConnectionTCPObfuscated,
  })) {
    it(`speaks the ${name} transport, from the first key on`, async () => {
      const read = async (client: messenger.Client) => {
        const history = await client.invoke(messenger.historyRequest(new Api.InputPeerSelf()));
        return [history.className, (await client.getDialogs({})).length];
      };
      const { result } = await messenger.withClient(server.sandbox, session, read, { connection });
      expect(result).to.deep.equal(['messages.Messages', 2]);
      const fresh = await messenger.withClient(
        server.sandbox,
        '',
        client => client.invoke(new Api.help.GetNearestDc()),
        { connection },
      );
      expect(fresh.result).to.include({ thisDc: 2 });
    });
  }

  it('answers many calls that arrive in one container', async () => {
    const { result } = await messenger.withClient(server.sandbox, session, client =>
      Promise.all(Array.from({ length: 50 }, () => client.invoke(messenger.dialogsRequest()))),
    );
    expect(result.map(list => list.className)).to.deep.equal(Array(50).fill('messages.Dialogs'));
  });

  it('takes calls that are packed', async () => {
    const request = messenger.dialogsRequest();
    const packed = gzipSync(request.getBytes());
    request.getBytes = () => Buffer.concat([uint32(GZIP_PACKED), serializeBytes(packed)]);
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      await client.invoke(messenger.dialogsRequest());
      return client.invoke(request);
    });
    expect(result.className).to.equal('messages.Dialogs');
  });

  for (const [words, seconds] of [
    ['behind', -4000],
    ['ahead', 4000],
  ] as const) {
    it(`sets a clock right that is far ${words}`, async () => {
      const { result } = await messenger.withClient(server.sandbox, session, async client => {
        const state = stateOf(client);
        Object.assign(state, { timeOffset: seconds, _lastMsgId: bigInt.zero });
        const list = await client.invoke(messenger.dialogsRequest());
        return { name: list.className, offset: state.timeOffset };
      });
      expect(result.name).to.equal('messages.Dialogs');
      expect(result.offset).to.be.closeTo(0, 2);
    });
  }

  it('tells a client whose salt is wrong the right one', async () => {
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      const state = stateOf(client);
      await client.invoke(messenger.dialogsRequest());
      const salt = state.salt;
      state.salt = bigInt(12345);
      await client.invoke(messenger.dialogsRequest());
      return { before: salt, after: state.salt };
    });
    expect(String(result.after)).to.equal(String(result.before));
  });

  it('answers pings', async () => {
    const ping = new Api.PingDelayDisconnect({ pingId: bigInt(42), disconnectDelay: 60_000 });
    const { result } = await messenger.withClient(server.sandbox, session, async client => client._sender?.send(ping));
    expect(result).to.be.instanceOf(Api.Pong);
  });

  it('hangs up when the pings stop', async () => {
    const { result } = await messenger.withClient(server.sandbox, session, async client => {
      await client._sender?.send(new Api.PingDelayDisconnect({ pingId: bigInt(42), disconnectDelay: 0 }));
      server.sandbox.faults.next({ on: 'messages.GetDialogs', isSilent: true });
      return messenger.refusalOf(client.invoke(messenger.dialogsRequest()));
    });
    expect(result).to.match(/was lost|is disconnected|while disconnected/);
  });

  it('refuses a method it does not have, and goes on', async () => {
    const { result } = await messenger.withClient(server.sandbox, session, async client => [
      await messenger.refusalOf(client.invoke(new Api.messages.GetAllDrafts())),
      await messenger.refusalOf(client.invoke(messenger.dialogsRequest())),
    ]);
    expect(result).to.deep.equal(['INPUT_METHOD_INVALID', '']);
  });

  it('wants a connection to be initialised first, and remembers for the key that it was', async () => {
    const askOnly = (of: string) =>
      withoutInitConnection(() => messenger.call(server.sandbox, of, new Api.help.GetNearestDc()));
    expect(await messenger.refusalOf(askOnly(''))).to.equal('CONNECTION_NOT_INITED');
    expect(await messenger.refusalOf(askOnly(session))).to.equal('');
  });

  it('hangs up on anything that is not its protocol', async () => {
    const greetings = [Buffer.from('GET / HTTP/1.1\r\nhost: example.org\r\n\r\n'.repeat(4)), Buffer.alloc(200, 1)];
    for (const greeting of greetings) {
      const socket = connect(server.sandbox.port, server.sandbox.host);
      socket.on('error', () => {});
      socket.write(greeting);
      await once(socket, 'close');
    }
  });
});

type ProtocolState = { timeOffset: number; salt: BigInteger };

/** What the library keeps private: the clock and the salt of its connection. */
function stateOf(client: messenger.Client): ProtocolState {
  return (client._sender as unknown as { _state: ProtocolState })._state;
}

/** Clients that say which layer they speak, and nothing of themselves. */
async function withoutInitConnection<T>(work: () => Promise<T>): Promise<T> {
  const { getBytes } = Api.InitConnection.prototype;
  Api.InitConnection.prototype.getBytes = function (this: Api.InitConnection) {
    return (this.query as unknown as { getBytes(): Buffer }).getBytes();
  };
  try {
    return await work();
  } finally {
    Api.InitConnection.prototype.getBytes = getBytes;
  }
}
