import bigInt from 'big-integer';
import { Api, Logger, TelegramClient } from 'telegram';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { PromisedNetSockets } from 'telegram/extensions/PromisedNetSockets.js';
import { StringSession } from 'telegram/sessions/index.js';
import { failure, isUnreadableAnswer, reasonOf, toClientError } from './telegramErrors.ts';
import type { MessengerSession } from './types.ts';

export type ConnectionOptions = {
  apiId: number;
  apiHash: string;
  /** Only when another server than the vendor's is configured. */
  server?: { host: string; port: number; publicKeyPem: string };
  report: (trouble: { code: string; message: string }) => void;
  callTimeoutMs: number;
  connectTimeoutMs: number;
};

/** Sends one request. Throws ClientError, `TIMEOUT` after the call's deadline. */
export type Call = <R extends Api.AnyRequest>(request: R) => Promise<R['__response']>;

export type Connection = {
  connect(): Promise<void>;
  call: Call;
  /** As {@link Call}, but the service pushes no updates to this connection on account of it. */
  read: Call;
  session(): MessengerSession;
  /** Never throws. Nothing is dialled and no timer runs afterwards. */
  close(): Promise<void>;
};

/** Where a sign-in begins; the service sends us on when the phone lives in another data centre. */
const firstDataCenter = 2;
/** What a session keeps as port when a server is configured: the format has no room above 32767, and it is never dialled. */
const nominalPort = 443;
const closeTimeoutMs = 2000;
const pingIntervalMs = 30_000;
const pingDisconnectSeconds = 75;
const worthReporting = new Set(['UNEXPECTED', 'PARSER_POISONED', 'FLOOD_WAIT']);

/** One connection for one short piece of work. Never reused after `close`. */
export function createConnection(options: ConnectionOptions, session: MessengerSession): Connection {
  const link = createLink(options.server);
  const client = createLibraryClient(options, loadSession(session, options.server), link.Socket);
  let unreadable: unknown;
  client.onError = async error => {
    if (isUnreadableAnswer(error)) unreadable = error;
  };

  async function attempt<T>(work: () => Promise<T>, milliseconds: number, name: string): Promise<T> {
    try {
      return await withDeadline(work(), milliseconds);
    } catch (error) {
      const trouble = toClientError(unreadable ?? error);
      const message = `${name}: ${reasonOf(trouble)}`;
      if (worthReporting.has(trouble.code)) options.report({ code: trouble.code, message });
      // The library drops the key when the server says -404. Suspicious, but no proof that the session was ended.
      if (session && !client.session.authKey?.getKey()) options.report({ code: 'KEY_REFUSED', message });
      throw trouble;
    }
  }

  const call: Call = request => attempt(() => client.invoke(request), options.callTimeoutMs, request.className);
  const ping = setInterval(() => keepAlive(client), pingIntervalMs).unref();
  return {
    connect: async () => {
      await attempt(() => client.connect(), options.connectTimeoutMs, 'connect');
    },
    call,
    read: async query => (await call(new Api.InvokeWithoutUpdates({ query }))) as (typeof query)['__response'],
    session: () => client.session.save(),
    close: async () => {
      clearInterval(ping);
      link.cut();
      await withDeadline(client.destroy(), closeTimeoutMs).catch(() => undefined);
    },
  };
}

function createLibraryClient(options: ConnectionOptions, session: StringSession, socket: typeof PromisedNetSockets) {
  return new QuietClient(session, options.apiId, options.apiHash, {
    deviceModel: 'Forenoon',
    appVersion: '1.0',
    networkSocket: socket,
    timeout: options.connectTimeoutMs / 1000,
    connectionRetries: 2,
    retryDelay: 300,
    requestRetries: 2,
    autoReconnect: false,
    // Waiting is the caller's decision; the library would sleep in silence.
    floodSleepThreshold: 0,
    // Off by default, against https://core.telegram.org/mtproto/security_guidelines
    securityChecks: true,
    entityCache: false,
    baseLogger: new Logger(LogLevel.NONE),
  });
}

/**
 * Without the update loop, which asks for updates.GetState, thereby subscribes the connection to every change in the
 * account, and has timers that outlive the client. A connection, the one to another data centre too, starts it only
 * while this flag is down.
 */
class QuietClient extends TelegramClient<StringSession> {
  override async connect(): Promise<boolean> {
    this._loopStarted = true;
    return super.connect();
  }
}

/** A session that remembers nothing of what it reads, unlike the library's, which grows with every person seen. */
class LeanSession extends StringSession {
  private readonly port16: number | undefined;

  constructor(saved: MessengerSession, port16?: number) {
    super(saved);
    this.port16 = port16;
  }

  override setDC(dcId: number, serverAddress: string, port: number): void {
    super.setDC(dcId, serverAddress, this.port16 ?? port);
  }

  override processEntities(): void {}
}

function loadSession(saved: MessengerSession, server: ConnectionOptions['server']): StringSession {
  try {
    const session = new LeanSession(saved, server && nominalPort);
    if (server) session.setDC(session.dcId || firstDataCenter, server.host, nominalPort);
    return session;
  } catch {
    throw failure('auth', 'SESSION_EXPIRED', 'the stored session cannot be read');
  }
}

/**
 * The socket class of one client, with a kill switch: the library may still be about to dial (to another data centre,
 * after a broken link) when its client is destroyed, and two links on one key cost the person their session.
 */
function createLink(server: ConnectionOptions['server']) {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  let isClosed = false;
  const sockets: PromisedNetSockets[] = [];

  class Socket extends PromisedNetSockets {
    override async connect(port: number, ip: string): Promise<unknown> {
      if (isClosed) throw new Error('The connection is closed');
      sockets.push(this);
      return Promise.race([closed.promise, super.connect(server?.port ?? port, server?.host ?? ip)]);
    }
  }

  function cut() {
    isClosed = true;
    closed.reject(new Error('The connection is closed'));
    for (const socket of sockets) socket.close().catch(() => undefined);
  }
  return { Socket, cut };
}

/** Holds a quiet connection open, and lets the service drop it soon should this process die. */
function keepAlive(client: TelegramClient): void {
  if (!client.connected) return;
  const pingId = bigInt.randBetween(1, Number.MAX_SAFE_INTEGER);
  client.invoke(new Api.PingDelayDisconnect({ pingId, disconnectDelay: pingDisconnectSeconds })).catch(() => undefined);
}

async function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(failure('temporary', 'TIMEOUT')), milliseconds);
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
