import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bigInt from 'big-integer';
import { Api, Logger, TelegramClient } from 'telegram';
import { _serverKeys } from 'telegram/crypto/RSA.js';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { StringSession } from 'telegram/sessions/index.js';
import { serializeBytes } from 'telegram/tl/index.js';
import { sha1 } from '../../../sandbox/messenger/crypto.ts';
import { type MessengerSandbox, startMessengerSandbox } from '../../../sandbox/messenger/server.ts';
import type { World } from '../../../sandbox/messenger/world.ts';
import { messengerPort } from '../../support/messengerPort.ts';

export type Started = {
  sandbox: MessengerSandbox;
  /** The server again, in the same folder and on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A server with these worlds, known to the client library of this process until it is stopped. */
export async function startServer(...worlds: World[]): Promise<Started> {
  const stateDir = mkdtempSync(join(tmpdir(), 'messenger-sandbox-'));
  const port = await messengerPort();
  const start = async () => {
    const sandbox = await startMessengerSandbox({ port, stateDir, worlds });
    trust(sandbox.publicKeyPem);
    return sandbox;
  };
  const started: Started = {
    sandbox: await start(),
    async restart() {
      await started.sandbox.stop();
      distrust(started.sandbox.publicKeyPem);
      started.sandbox = await start();
    },
    async stop() {
      await started.sandbox.stop();
      distrust(started.sandbox.publicKeyPem);
      rmSync(stateDir, { recursive: true });
    },
  };
  return started;
}

function trust(pem: string): void {
  const { fingerprint, n, e } = serverKey(pem);
  _serverKeys.set(fingerprint, { n: bigInt(n.toString('hex'), 16), e: bigInt(e.toString('hex'), 16).toJSNumber() });
}

function distrust(pem: string): void {
  _serverKeys.delete(serverKey(pem).fingerprint);
}

function serverKey(pem: string): { fingerprint: string; n: Buffer; e: Buffer } {
  const jwk = createPublicKey(pem).export({ format: 'jwk' });
  const [n, e] = [Buffer.from(jwk.n ?? '', 'base64url'), Buffer.from(jwk.e ?? '', 'base64url')];
  const fingerprint = sha1(serializeBytes(n), serializeBytes(e)).subarray(12).readBigInt64LE();
  return { fingerprint: String(fingerprint), n, e };
}

export type Client = TelegramClient<StringSession>;

/** A fresh client of the real library, from nothing but a session string; destroyed at the end. */
export async function withClient<T>(
  sandbox: Pick<MessengerSandbox, 'host' | 'port'>,
  session: string,
  use: (client: Client) => Promise<T>,
): Promise<{ result: T; session: string }> {
  const stored = new StringSession(session);
  if (session === '') stored.setDC(2, sandbox.host, sandbox.port);
  const client = new TelegramClient(stored, 1, 'hash', {
    connectionRetries: 2,
    requestRetries: 2,
    autoReconnect: false,
    floodSleepThreshold: 0,
    securityChecks: true,
    timeout: 2,
    baseLogger: new Logger(LogLevel.NONE),
  });
  client.onError = async () => {};
  try {
    await client.connect();
    return { result: await use(client), session: stored.save() };
  } finally {
    await client.destroy();
  }
}

export async function call<R extends Api.AnyRequest>(
  sandbox: MessengerSandbox,
  session: string,
  request: R,
): Promise<R['__response']> {
  return (await withClient(sandbox, session, client => client.invoke(request))).result;
}

export type Sent = { session: string; codeHash: string };

export async function sendCode(sandbox: MessengerSandbox, phone: string, session = ''): Promise<Sent> {
  const request = new Api.auth.SendCode({
    phoneNumber: phone,
    apiId: 1,
    apiHash: 'x',
    settings: new Api.CodeSettings({}),
  });
  const sent = await withClient(sandbox, session, client => client.invoke(request));
  if (!(sent.result instanceof Api.auth.SentCode)) throw new Error(`Unexpected ${sent.result.className}`);
  return { session: sent.session, codeHash: sent.result.phoneCodeHash };
}

export function codeFor(sandbox: MessengerSandbox, phone: string): string {
  return sandbox.accounts().find(account => account.phone === phone)?.codes[0]?.code ?? '';
}

export function signInRequest(phone: string, sent: Sent, code: string): Api.auth.SignIn {
  return new Api.auth.SignIn({ phoneNumber: phone, phoneCodeHash: sent.codeHash, phoneCode: code });
}

/** The session of an account without a password. */
export async function signIn(sandbox: MessengerSandbox, phone: string): Promise<string> {
  const sent = await sendCode(sandbox, phone);
  await call(sandbox, sent.session, signInRequest(phone, sent, codeFor(sandbox, phone)));
  return sent.session;
}

export function dialogsRequest(details: Partial<Api.messages.GetDialogs> = {}): Api.messages.GetDialogs {
  return new Api.messages.GetDialogs({
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: new Api.InputPeerEmpty(),
    limit: 100,
    hash: bigInt.zero,
    ...details,
  });
}
