import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { createTelegramClient } from '../../../src/clients/messenger/telegram.ts';
import { errorOf } from './errorOf.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** A session as it is stored: data centre 2, 127.0.0.1, port 443 and some auth key. */
const storedSession = `1${Buffer.concat([Buffer.from([2, 0, 9]), Buffer.from('127.0.0.1'), Buffer.from([1, 187]), Buffer.alloc(256, 7)]).toString('base64')}`;

/** Transport error: a packet of the full transport that holds a negative number alone. */
function transportError(code: number): Buffer {
  const packet = Buffer.alloc(12);
  packet.writeInt32LE(16, 0);
  packet.writeInt32LE(code, 8);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(packet));
  return Buffer.concat([packet, checksum]);
}

describe('A messenger that cannot be reached', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];

  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer(socket => {
      sockets.push(socket.on('error', () => undefined));
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  function clientOf(port: number, reported: string[] = [], connectTimeoutMs = 10_000) {
    return createTelegramClient({
      apiId: 1,
      apiHash: 'hash',
      server: { host: '127.0.0.1', port, publicKeyPem },
      report: ({ code }) => reported.push(code),
      connectTimeoutMs,
    });
  }

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  it('is unreachable when it refuses the connection', async () => {
    const port = await listen(() => undefined);
    servers.pop()?.close();
    const error = await errorOf(clientOf(port).sendCode('+34600111222'));
    expect(error).to.include({ kind: 'temporary', code: 'UNREACHABLE', service: 'messenger' });
  });

  for (const [what, session] of [
    ['a first', ''],
    ['a later', storedSession],
  ] as const) {
    it(`times out when ${what} connection is accepted and never answered`, async () => {
      const port = await listen(() => undefined);
      const started = Date.now();
      const error = await errorOf(clientOf(port, [], 300).withConnection(session, async () => undefined));
      expect(error).to.include({ kind: 'temporary', code: 'TIMEOUT' });
      expect(Date.now() - started).to.be.within(290, 5000);
    });

    it(`is unreachable when ${what} connection is closed at once`, async () => {
      const port = await listen(socket => socket.end());
      const error = await errorOf(clientOf(port).withConnection(session, async () => undefined));
      expect(error).to.include({ kind: 'temporary', code: 'UNREACHABLE' });
    });
  }

  it('is unreachable, and says so to the operator, when it does not know the key', async () => {
    const port = await listen(socket => socket.on('data', () => socket.write(transportError(-404))));
    const reported: string[] = [];
    const error = await errorOf(clientOf(port, reported).withConnection(storedSession, async () => undefined));
    expect(error).to.include({ kind: 'temporary', code: 'UNREACHABLE' });
    expect(reported).to.deep.equal(['KEY_REFUSED']);
  });

  it('asks to sign in again when the stored session is not one', async () => {
    const error = await errorOf(clientOf(1).withConnection('nonsense', async () => undefined));
    expect(error).to.include({ kind: 'auth', code: 'SESSION_EXPIRED' });
  });
});
