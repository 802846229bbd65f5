import { createHash, createPublicKey } from 'node:crypto';
import bigInt from 'big-integer';
import { Api } from 'telegram';
import { _serverKeys } from 'telegram/crypto/RSA.js';
import { ClientError } from '../errors.ts';
import { type Call, type Connection, createConnection } from './connection.ts';
import { createDialogReader } from './dialogs.ts';
import type { ConnectionOptions } from './libraryClient.ts';
import { readHistory } from './messages.ts';
import { checkPassword, followScan, sendCode, showScanCode, signIn } from './signIn.ts';
import type { CallPace, MessengerClient, MessengerReader, MessengerSession } from './types.ts';

type Timing = 'callTimeoutMs' | 'connectTimeoutMs' | 'pingIntervalMs';
type TelegramOptions = Omit<ConnectionOptions, Timing> & Partial<Pick<ConnectionOptions, Timing>>;

/**
 * The messenger, accessed through the MTProto library.
 * @param options `server` and its key only when another server than the vendor's is configured. `report` is called for flood
 * waits, refused keys and unexpected answers; nothing a person wrote is in it.
 */
export function createTelegramClient(options: TelegramOptions): MessengerClient {
  const complete: ConnectionOptions = {
    ...options,
    callTimeoutMs: options.callTimeoutMs ?? 20_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 15_000,
    pingIntervalMs: options.pingIntervalMs ?? 30_000,
  };
  if (options.server) trustServerKey(options.server.publicKeyPem);
  return {
    checkApiKeys: () => withFreshConnection(complete, '', connection => checkApiKeys(connection, complete)),
    sendCode: phone => withFreshConnection(complete, '', connection => sendCode(connection, complete, phone)),
    signIn: step => withFreshConnection(complete, step.session, connection => signIn(connection, step)),
    checkPassword: step =>
      withFreshConnection(complete, step.session, connection => checkPassword(connection, step.password)),
    showScanCode: session => withFreshConnection(complete, session, connection => showScanCode(connection, complete)),
    followScan: step => withFreshConnection(complete, step.session, connection => followScan(connection, step.token)),
    logOut: session => withFreshConnection(complete, session, logOut).catch(ignoreEndedSession),
    withConnection: (session, use, { signal, pace = sendAtOnce } = {}) =>
      withFreshConnection(complete, session, connection => use(createReader(connection, pace)), signal),
  };
}

/** Opens a connection, runs `work` on it and always closes it. Errors of `work` are passed on unchanged. */
async function withFreshConnection<T>(
  options: ConnectionOptions,
  session: MessengerSession,
  work: (connection: Connection) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const connection = createConnection(options, session);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted.promise, connection.connect().then(() => work(connection))]);
  } finally {
    signal?.removeEventListener('abort', abort);
    await connection.close();
  }
}

const sendAtOnce: CallPace = (_kind, send) => send();

function createReader(connection: Connection, pace: CallPace): MessengerReader {
  const list: Call = request => pace('dialogs', () => connection.read(request));
  const readContacts: Call = request => pace('other', () => connection.read(request));
  const read: Call = request => pace('history', () => connection.read(request));
  return {
    dialogs: createDialogReader({ list, contacts: readContacts }),
    history: (peer, range) => readHistory(read, peer, range),
  };
}

/** Requests a login code to scan, which is not used: no other call checks both keys without messaging anyone. */
async function checkApiKeys(connection: Connection, { apiId, apiHash }: ConnectionOptions): Promise<void> {
  await connection.call(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
}

async function logOut(connection: Connection): Promise<void> {
  await connection.call(new Api.auth.LogOut());
}

/** A session that has already ended is as good as logged out. */
function ignoreEndedSession(error: unknown): void {
  if (!(error instanceof ClientError && error.code === 'SESSION_EXPIRED')) throw error;
}

/**
 * Lets the library accept a server that authenticates with this key, beside the vendor's own two. Affects the whole
 * process, so only call it with a key the operator configured: whoever holds its private half could pose as Telegram.
 * @param publicKeyPem RSA, SPKI or PKCS#1
 */
export function trustServerKey(publicKeyPem: string): void {
  const { n, e } = createPublicKey(publicKeyPem).export({ format: 'jwk' });
  if (!n || !e) throw new Error('The public key of the messenger server is not an RSA key');
  const modulus = Buffer.from(n, 'base64url');
  const exponent = Buffer.from(e, 'base64url');
  _serverKeys.set(fingerprint(modulus, exponent), {
    n: bigInt(modulus.toString('hex'), 16),
    e: Number.parseInt(exponent.toString('hex'), 16),
  });
}

/** The low 64 bits of the key's SHA1, https://core.telegram.org/mtproto/auth_key */
function fingerprint(modulus: Buffer, exponent: Buffer): string {
  const digest = createHash('sha1').update(tlBytes(modulus)).update(tlBytes(exponent)).digest();
  return digest.readBigInt64LE(12).toString();
}

/** A byte string as TL writes it: length, bytes, zeros up to a multiple of four. */
function tlBytes(bytes: Buffer): Buffer {
  const length = bytes.length < 254 ? [bytes.length] : [254, bytes.length & 255, bytes.length >> 8, 0];
  const written = Buffer.concat([Buffer.from(length), bytes]);
  return Buffer.concat([written, Buffer.alloc(-written.length & 3)]);
}
