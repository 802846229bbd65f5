import { Api, password } from 'telegram';
import { ClientError } from '../errors.ts';
import { type Connection, createConnection } from './connection.ts';
import { readDialogs } from './dialogs.ts';
import type { ConnectionOptions } from './libraryClient.ts';
import { readHistory } from './messages.ts';
import { phoneOf, usernameOf } from './peers.ts';
import { trustServerKey } from './serverKey.ts';
import { asksForPassword, failure, toClientError } from './telegramErrors.ts';
import type { MessengerClient, MessengerReader, MessengerSession, SentCode, SignInResult } from './types.ts';

const deliveries: Record<string, SentCode['delivery']> = {
  'auth.SentCodeTypeApp': 'app',
  'auth.SentCodeTypeSms': 'sms',
  'auth.SentCodeTypeSmsWord': 'sms',
  'auth.SentCodeTypeSmsPhrase': 'sms',
  'auth.SentCodeTypeCall': 'call',
  'auth.SentCodeTypeFlashCall': 'call',
  'auth.SentCodeTypeMissedCall': 'call',
};

type Timing = 'callTimeoutMs' | 'connectTimeoutMs' | 'pingIntervalMs';
type TelegramOptions = Omit<ConnectionOptions, Timing> & Partial<Pick<ConnectionOptions, Timing>>;

/**
 * The messenger, spoken to through the MTProto library.
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
    checkApiKeys: () => connected(complete, '', connection => checkApiKeys(connection, complete)),
    sendCode: phone => connected(complete, '', connection => sendCode(connection, complete, phone)),
    signIn: step => connected(complete, step.session, connection => signIn(connection, step)),
    checkPassword: step => connected(complete, step.session, connection => checkPassword(connection, step.password)),
    logOut: session => connected(complete, session, logOut).catch(unlessEnded),
    withConnection: (session, use, { signal } = {}) =>
      connected(complete, session, connection => use(readerOf(connection)), signal),
  };
}

/** Opens a connection, works on it and closes it whatever happens. What `work` itself throws passes unchanged. */
async function connected<T>(
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

function readerOf(connection: Connection): MessengerReader {
  return {
    dialogs: () => readDialogs(connection.read),
    history: (peer, range) => readHistory(connection.read, peer, range),
  };
}

/** By asking for a code to scan, which is the only call that takes both and sends nothing to anyone. It is not used. */
async function checkApiKeys(connection: Connection, { apiId, apiHash }: ConnectionOptions): Promise<void> {
  await connection.call(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
}

async function sendCode(connection: Connection, app: ConnectionOptions, phone: string): Promise<SentCode> {
  const { apiId, apiHash } = app;
  const settings = new Api.CodeSettings({});
  const sent = await connection.call(new Api.auth.SendCode({ phoneNumber: phone, apiId, apiHash, settings }));
  // The other answers sign in without a code or ask for a payment first.
  if (!(sent instanceof Api.auth.SentCode)) throw failure('permanent', 'UNEXPECTED', sent.className);
  return {
    session: connection.session(),
    codeHash: sent.phoneCodeHash,
    delivery: deliveries[sent.type.className] ?? 'other',
  };
}

async function signIn(
  connection: Connection,
  step: { phone: string; codeHash: string; code: string },
): Promise<SignInResult> {
  const { phone: phoneNumber, codeHash: phoneCodeHash, code: phoneCode } = step;
  try {
    return signedIn(connection, await connection.call(new Api.auth.SignIn({ phoneNumber, phoneCodeHash, phoneCode })));
  } catch (error) {
    if (!asksForPassword(error)) throw error;
    return { session: connection.session(), needsPassword: true };
  }
}

async function checkPassword(connection: Connection, secret: string): Promise<SignInResult> {
  const challenge = await connection.call(new Api.account.GetPassword());
  const proof = await inTurn(() => password.computeCheck(challenge, secret)).catch(error => {
    throw toClientError(error);
  });
  return signedIn(connection, await connection.call(new Api.auth.CheckPassword({ password: proof })));
}

function signedIn(connection: Connection, authorization: Api.auth.TypeAuthorization): SignInResult {
  if (!(authorization instanceof Api.auth.Authorization)) throw failure('permanent', 'PHONE_UNKNOWN');
  const { user } = authorization;
  if (!(user instanceof Api.User)) throw failure('permanent', 'UNEXPECTED', user.className);
  return {
    session: connection.session(),
    needsPassword: false,
    user: {
      id: user.id.toString(),
      firstName: user.firstName ?? '',
      lastName: user.lastName ?? '',
      username: usernameOf(user),
      phone: phoneOf(user),
    },
  };
}

async function logOut(connection: Connection): Promise<void> {
  await connection.call(new Api.auth.LogOut());
}

/** A session that has already ended is as good as logged out. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof ClientError && error.code === 'SESSION_EXPIRED')) throw error;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** One at a time in this process: a password check holds the event loop for some 200 ms. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}
