import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MessengerSandbox, startMessengerSandbox } from '../../../sandbox/messenger/server.ts';
import type { World } from '../../../sandbox/messenger/world.ts';
import { createTelegramClient } from '../../../src/clients/messenger/telegram.ts';
import type { MessengerClient, MessengerDialog } from '../../../src/clients/messenger/types.ts';
import { freePort } from '../../support/freePort.ts';
import { owner } from '../../support/worlds.ts';

export type Sandbox = MessengerSandbox;

/** A messenger server with these accounts, and a client of it. Call `stop` at the end. */
export async function startMessenger(...worlds: World[]) {
  const stateDir = mkdtempSync(join(tmpdir(), 'messenger-'));
  const sandbox = await startMessengerSandbox({ port: await freePort(), stateDir, worlds });
  const reported: string[] = [];
  return {
    sandbox,
    reported,
    client: clientOf(sandbox, reported),
    stop: async () => {
      await sandbox.stop();
      rmSync(stateDir, { recursive: true });
    },
  };
}

type Timing = { callTimeoutMs?: number; connectTimeoutMs?: number };
type Server = { host: string; port: number; publicKeyPem: string };

/** With deadlines that a busy machine keeps; where silence is what is tested, `timing` sets shorter ones. */
export function clientOf(server: Server, reported: string[] = [], timing: Timing = {}) {
  const { host, port, publicKeyPem } = server;
  return createTelegramClient({
    apiId: 1,
    apiHash: 'hash',
    server: { host, port, publicKeyPem },
    report: ({ code, message }) => reported.push(`${code} ${message}`),
    ...timing,
  });
}

/** Signs the owner of a world without a password in, and gives the session. */
export async function signedIn(sandbox: Sandbox, client: MessengerClient, phone = owner.phone ?? ''): Promise<string> {
  const sent = await client.sendCode(phone);
  const code = codeOf(sandbox, phone);
  const result = await client.signIn({ session: sent.session, phone, codeHash: sent.codeHash, code });
  return result.session;
}

/** The newest code sent to this phone. */
export function codeOf(sandbox: Sandbox, phone: string): string {
  const account = sandbox.accounts().find(candidate => candidate.phone === phone);
  const newest = account?.codes[0];
  if (!newest) throw new Error(`No code was sent to ${phone}`);
  return newest.code;
}

export async function allDialogs(client: MessengerClient, session: string): Promise<MessengerDialog[]> {
  return client.withConnection(session, async reader => {
    const pages = [
      ...(await Array.fromAsync(reader.dialogs('main'))),
      ...(await Array.fromAsync(reader.dialogs('archive'))),
    ];
    return pages.flatMap(page => page.dialogs);
  });
}
