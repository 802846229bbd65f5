import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bigInt from 'big-integer';
import { _serverKeys } from 'telegram/crypto/RSA.js';
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

export function codeFor(sandbox: MessengerSandbox, phone: string): string {
  return sandbox.accounts().find(account => account.phone === phone)?.codes[0]?.code ?? '';
}
