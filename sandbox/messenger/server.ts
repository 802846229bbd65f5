import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { type Account, digitsOf, type NewMessage, openAccount } from './account.ts';
import { simulateNextDay } from './arrivals.ts';
import { type Chat, type ChatEntry, listChats, type Page, readChat } from './chats.ts';
import { serveConnection } from './connection.ts';
import { HOME_DC, listenAsDataCentres } from './dataCentres.ts';
import { createMessengerFaults, type MessengerFaults } from './faults.ts';
import { createKeyUse } from './keyUse.ts';
import { acceptLoginToken } from './rpc/loginTokens.ts';
import { accountByPhone, type Sandbox, signOut } from './sandbox.ts';
import { makeServerKey, type ServerKey } from './serverKey.ts';
import { openState } from './state.ts';
import { createUpdateHub, receiveMessages } from './updates.ts';
import type { World } from './world.ts';

export type MessengerSandboxOptions = {
  /**
   * The library's session strings hold a signed 16-bit number: a client that keeps the port there needs one up to
   * 32767.
   */
  port: number;
  /** Made when missing. Holds what survives the process. */
  stateDir: string;
  worlds: World[];
  /** Every answer comes this many milliseconds later. */
  delayMs?: number;
  /** Default: a new one. */
  serverKey?: ServerKey;
  log?: Logger;
};

type SandboxAccount = {
  phone: string;
  name: string;
  password: string | null;
  worldKey: string;
  /** The codes that are still valid, newest first. */
  codes: { code: string; sentAt: Date }[];
};

export type MessengerSandbox = {
  /** Data centre 2, where clients begin. */
  host: string;
  port: number;
  /** PKCS #1. No one but this server may ever have it among its keys. */
  publicKeyPem: string;
  accounts(): SandboxAccount[];
  /** The codes that wait to be scanned, the newest first. */
  codesShown(): { link: string; expiresAt: Date }[];
  /**
   * Scans a code, `tg://login?token=…`, or the newest one that is shown, with a device of the account. Throws an error with
   * the messenger's word for why it can't be, for example AUTH_TOKEN_EXPIRED.
   */
  scan(worldKey: string, link?: string): void;
  /** How many devices are signed in to the account, not counting those at the password step. */
  devices(worldKey: string): number;
  /** The world's next day; with none left the last day of up to 20 conversations once more. */
  simulateNextDay(worldKey: string): { conversations: number; messages: number };
  listChats(worldKey: string, page: number): Page<ChatEntry>;
  readChat(worldKey: string, key: string, page: number): Chat | undefined;
  addMessages(worldKey: string, dialogKey: string, messages: NewMessage[]): void;
  /** Deletes the newest message as its author would, until the next start. */
  deleteNewest(worldKey: string, dialogKey: string): void;
  /** Calls by method name since the last reset. */
  calls(): Record<string, number>;
  resetCalls(): void;
  faults: MessengerFaults;
  stop(): Promise<void>;
};

/**
 * A messenger of our own: the real protocol on loopback, with the worlds as its accounts.
 * Rejects when the port is taken, or when a file of the state is not ours.
 */
export async function startMessengerSandbox(options: MessengerSandboxOptions): Promise<MessengerSandbox> {
  const sandbox = openSandbox(options);
  const serve = (socket: Socket, id: number) => serveConnection(sandbox, socket, id);
  const listening = await listenAsDataCentres(options.port, serve, { log: sandbox.log });
  sandbox.dataCentres = listening.dataCentres;
  return {
    host: listening.dataCentres.get(HOME_DC) ?? '',
    port: options.port,
    publicKeyPem: sandbox.serverKey.publicKeyPem,
    accounts: () => [...sandbox.accounts.values()].map(account => describeAccount(sandbox, account)),
    codesShown: () => codesShown(sandbox),
    scan: (worldKey, link) => scan(sandbox, accountOf(sandbox, worldKey), link),
    devices: worldKey => [...sandbox.state.keys.values()].filter(({ account }) => account === worldKey).length,
    simulateNextDay: worldKey => simulateNextDay(sandbox, accountOf(sandbox, worldKey)),
    listChats: (worldKey, page) => listChats(accountOf(sandbox, worldKey), page),
    readChat: (worldKey, key, page) => readChat(accountOf(sandbox, worldKey), key, page),
    addMessages(worldKey, dialogKey, messages) {
      const arrivals = messages.map(message => ({ dialogKey, message }));
      receiveMessages(sandbox, accountOf(sandbox, worldKey), arrivals);
    },
    deleteNewest: (worldKey, dialogKey) => void accountOf(sandbox, worldKey).dialogs.get(dialogKey)?.messages.pop(),
    calls: () => Object.fromEntries(sandbox.calls),
    resetCalls: () => sandbox.calls.clear(),
    faults: faultsOf(sandbox, listening.dropConnections),
    stop: listening.stop,
  };
}

function openSandbox(options: MessengerSandboxOptions): Sandbox {
  const state = openState(options.stateDir);
  return {
    port: options.port,
    dataCentres: new Map(),
    serverKey: options.serverKey ?? makeServerKey(),
    state,
    accounts: new Map(options.worlds.map(world => [world.key, openAccount(world, state)])),
    faults: createMessengerFaults(options.delayMs ?? 0),
    calls: new Map(),
    updates: createUpdateHub(),
    keyUse: createKeyUse(),
    log: options.log ?? null,
  };
}

function scan(sandbox: Sandbox, account: Account, link: string | undefined): void {
  const shown = link ?? codesShown(sandbox)[0]?.link;
  const token = shown && new URL(shown).searchParams.get('token');
  if (!token) throw new Error('No code is shown');
  acceptLoginToken(sandbox, account, Buffer.from(token, 'base64url'));
}

function codesShown(sandbox: Sandbox): { link: string; expiresAt: Date }[] {
  return [...sandbox.state.keys.values()]
    .flatMap(({ loginToken }) => loginToken ?? [])
    .filter(({ acceptedBy, expiresAt }) => acceptedBy === null && expiresAt > Date.now())
    .sort((a, b) => b.expiresAt - a.expiresAt)
    .map(({ token, expiresAt }) => ({
      link: `tg://login?token=${Buffer.from(token, 'base64').toString('base64url')}`,
      expiresAt: new Date(expiresAt),
    }));
}

function accountOf(sandbox: Sandbox, worldKey: string): Account {
  const account = sandbox.accounts.get(worldKey);
  if (!account) throw new Error(`No such world: ${worldKey}`);
  return account;
}

function describeAccount(sandbox: Sandbox, { key, phone, owner, password }: Account): SandboxAccount {
  const codes = [...sandbox.state.keys.values()]
    .flatMap(authKey => (authKey.code?.phone === phone && authKey.code.expiresAt > Date.now() ? [authKey.code] : []))
    .sort((a, b) => b.sentAt - a.sentAt)
    .map(code => ({ code: code.digits, sentAt: new Date(code.sentAt) }));
  const name = [owner.firstName, owner.lastName].filter(part => part !== '').join(' ');
  return { phone: `+${phone}`, name, password, worldKey: key, codes };
}

function faultsOf(sandbox: Sandbox, dropConnections: () => void): MessengerFaults {
  const keys = () => [...sandbox.state.keys.values()];
  return {
    ...sandbox.faults,
    dropConnections,
    revokeSessions(phone) {
      const ended = keys().filter(key => key.account !== null && phoneOf(sandbox, key.account) === digitsOf(phone));
      for (const key of ended) signOut(sandbox, key, 'SESSION_REVOKED');
    },
    moveAccount(phone, dc) {
      const account = accountByPhone(sandbox, phone);
      if (account) account.dc = dc;
    },
    deactivate: phone => void sandbox.faults.deactivated.add(digitsOf(phone)),
    expireCodes(phone) {
      for (const key of keys()) {
        if (key.code?.phone !== digitsOf(phone)) continue;
        key.code.expiresAt = 0;
        sandbox.state.saveKey(key);
      }
    },
    expireLoginTokens() {
      for (const key of keys()) {
        if (!key.loginToken) continue;
        key.loginToken.expiresAt = 0;
        sandbox.state.saveKey(key);
      }
    },
  };
}

function phoneOf(sandbox: Sandbox, worldKey: string): string | undefined {
  return sandbox.accounts.get(worldKey)?.phone;
}
