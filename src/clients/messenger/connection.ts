import bigInt from 'big-integer';
import { Api, type TelegramClient } from 'telegram';
import definitions from 'telegram/tl/generated/api-definitions.js';
import { withDeadline } from '../../lib/deadline.ts';
import { type ConnectionOptions, createLibraryClient } from './libraryClient.ts';
import { createMessengerError, isUnreadableAnswer, telegramErrorName, toClientError } from './telegramErrors.ts';
import type { MessengerSession } from './types.ts';

/** Sends one request. Throws ClientError, `TIMEOUT` after the call's deadline. */
export type Call = <R extends Api.AnyRequest>(request: R) => Promise<R['__response']>;

export type Connection = {
  connect(): Promise<void>;
  call: Call;
  /** Like {@link Call}, but without subscribing this connection to updates. */
  read: Call;
  /** Continues in another data centre, with a separate key there. */
  switchTo(dataCentre: number): Promise<void>;
  session(): MessengerSession;
  /** Never throws. Nothing is dialled and no timer runs afterwards. */
  close(): Promise<void>;
};

const CLOSE_TIMEOUT_MS = 2000;
const PING_DISCONNECT_SECONDS = 75;
const REPORTED_CODES = new Set(['UNEXPECTED', 'API_KEYS_INVALID', 'PARSER_POISONED', 'FLOOD_WAIT']);

const createTimeoutError = () => createMessengerError('temporary', 'TIMEOUT');

/** Connection for one short task. Never reused after `close`. */
export function createConnection(options: ConnectionOptions, session: MessengerSession): Connection {
  const { client, cut } = createLibraryClient(options, session);
  // The library reports an unreadable answer here; the call that it belongs to only fails with a lost connection.
  let unreadable: unknown;
  client.onError = async error => noteUnreadable(error);

  function noteUnreadable(error: unknown): void {
    if (!isUnreadableAnswer(error)) return;
    unreadable = error;
    repairSchema();
  }

  async function attempt<T>(work: () => Promise<T>, milliseconds: number, name: string): Promise<T> {
    try {
      return await withDeadline(work(), milliseconds, createTimeoutError);
    } catch (error) {
      noteUnreadable(error);
      const clientError = toClientError(unreadable ?? error);
      const message = `${name}: ${telegramErrorName(clientError)}`;
      if (REPORTED_CODES.has(clientError.code)) options.report({ code: clientError.code, message });
      // The library drops the key at error -404. That is reported, but doesn't prove that the session was ended.
      if (session && !client.session.authKey?.getKey()) options.report({ code: 'KEY_REFUSED', message });
      throw clientError;
    }
  }

  const ping = setInterval(() => keepAlive(client), options.pingIntervalMs).unref();
  return {
    connect: async () => {
      await attempt(() => client.connect(), options.connectTimeoutMs, 'connect');
    },
    call: request => attempt(() => client.invoke(request), options.callTimeoutMs, request.className),
    read: query => {
      const request = new Api.InvokeWithoutUpdates({ query });
      return attempt(() => client.invoke(request), options.callTimeoutMs, query.className);
    },
    switchTo: async dataCentre => {
      await attempt(() => client._switchDC(dataCentre), options.connectTimeoutMs, 'switch');
    },
    session: () => client.session.save(),
    close: async () => {
      clearInterval(ping);
      cut();
      await withDeadline(client.destroy(), CLOSE_TIMEOUT_MS, createTimeoutError).catch(() => undefined);
    },
  };
}

/** Pings the service so that it keeps the connection open, and drops it soon after this process dies. */
function keepAlive(client: TelegramClient): void {
  if (!client.connected) return;
  const pingId = bigInt.randBetween(1, Number.MAX_SAFE_INTEGER);
  client.invoke(new Api.PingDelayDisconnect({ pingId, disconnectDelay: PING_DISCONNECT_SECONDS })).catch(() => undefined);
}

type Field = { isVector: boolean };
type Definition = { argsConfig: Record<string, Field> };

/** The fields that hold lists, in the library's own records. Collected before the library has read anything. */
const LIST_FIELDS = (definitions satisfies Definition[])
  .flatMap((definition: Definition) => Object.values(definition.argsConfig))
  .filter(field => field.isVector);

/**
 * While the library reads a list it marks the field as a single value, for every connection of the process, and leaves
 * it that way when an element cannot be read: lists of numbers in that field are then misread without an error. Call
 * this after any answer that could not be read.
 */
function repairSchema(): void {
  for (const field of LIST_FIELDS) field.isVector = true;
}
