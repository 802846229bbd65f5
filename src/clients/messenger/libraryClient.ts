import { Logger, TelegramClient } from 'telegram';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { PromisedNetSockets } from 'telegram/extensions/PromisedNetSockets.js';
import { StringSession } from 'telegram/sessions/index.js';
import { createMessengerError } from './telegramErrors.ts';
import type { MessengerSession } from './types.ts';

/** Times in milliseconds. */
export type ConnectionOptions = {
  apiId: number;
  apiHash: string;
  /** Only when another server than the vendor's is configured. */
  server?: { host: string; port: number; publicKeyPem: string } | undefined;
  report: (failure: { code: string; message: string }) => void;
  callTimeoutMs: number;
  connectTimeoutMs: number;
  pingIntervalMs: number;
};

type Server = ConnectionOptions['server'];

/** Data center in which a sign-in begins; the service redirects to that of the phone. */
const FIRST_DATA_CENTER = 2;
/** The port stored in a session when a server is configured. Never dialled: the format has no room above 32767. */
const NOMINAL_PORT = 443;

/**
 * The library's client with its pitfalls avoided, and a switch that cuts its link for good: the library may be about to
 * dial (another data centre, say) when it is destroyed, and two links on one key cost the person their session.
 * Throws ClientError `SESSION_EXPIRED` when the session is not one.
 */
export function createLibraryClient(options: ConnectionOptions, session: MessengerSession) {
  const { Socket, cut } = createLink(options.server);
  const client = new QuietClient(loadSession(session, options.server), options.apiId, options.apiHash, {
    deviceModel: 'Forenoon',
    appVersion: '1.0',
    networkSocket: Socket,
    timeout: options.connectTimeoutMs / 1000,
    // Retries a connection that breaks while being opened.
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
  return { client, cut };
}

/**
 * A client without the update loop, which subscribes the connection to every change in the account (updates.GetState)
 * and has timers that outlive the client. A connection, to any data centre, starts it only while this flag is unset.
 */
class QuietClient extends TelegramClient<StringSession> {
  #switching: Promise<boolean> | undefined;

  override async connect(): Promise<boolean> {
    this._loopStarted = true;
    return super.connect();
  }

  /** Switches once for all calls redirected at a time: a second switch would cut the link that the first one made. */
  override _switchDC(dataCenter: number): Promise<boolean> {
    this.#switching ??= super._switchDC(dataCenter).finally(() => {
      this.#switching = undefined;
    });
    return this.#switching;
  }
}

/** A session that caches no entities, unlike the library's, which grows with every person seen. */
class LeanSession extends StringSession {
  override processEntities(): void {}
}

/**
 * For a configured server: its first data centre is where the configuration now says, whatever the session stored. The
 * others are at the addresses the server names itself, on the same port.
 */
class RedirectedSession extends LeanSession {
  readonly #firstHost: string;

  constructor(saved: MessengerSession, firstHost: string) {
    super(saved);
    this.#firstHost = firstHost;
    this.setDC(this.dcId || FIRST_DATA_CENTER, this.serverAddress);
  }

  override setDC(dcId: number, host: string): void {
    super.setDC(dcId, dcId === FIRST_DATA_CENTER ? this.#firstHost : host, NOMINAL_PORT);
  }
}

function loadSession(saved: MessengerSession, server: Server): StringSession {
  try {
    return server ? new RedirectedSession(saved, server.host) : new LeanSession(saved);
  } catch {
    throw createMessengerError('auth', 'SESSION_EXPIRED', 'the stored session cannot be read');
  }
}

function createLink(server: Server) {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  let isClosed = false;
  const sockets: PromisedNetSockets[] = [];

  class Socket extends PromisedNetSockets {
    override async connect(port: number, ip: string): Promise<unknown> {
      if (isClosed) throw new Error('The connection is closed');
      sockets.push(this);
      return Promise.race([closed.promise, super.connect(server?.port ?? port, ip)]);
    }
  }

  function cut() {
    isClosed = true;
    closed.reject(new Error('The connection is closed'));
    for (const socket of sockets) socket.close().catch(() => undefined);
  }
  return { Socket, cut };
}
