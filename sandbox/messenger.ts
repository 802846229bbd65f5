import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../src/lib/log.ts';
import type { DemoUser } from './firstRun.ts';
import { loadExport } from './messenger/export.ts';
import { STORY_ZONE } from './messenger/samples/calendar.ts';
import { sampleWorld } from './messenger/samples.ts';
import { secondAccount } from './messenger/secondAccount.ts';
import { type MessengerSandbox, startMessengerSandbox } from './messenger/server.ts';
import type { World } from './messenger/world.ts';
import { portFor } from './ports.ts';
import { createRotatingLog } from './rotatingLog.ts';

/** The messenger for a machine without keys, with one account and the person who uses it in the first run. */
export type OpenMessenger = {
  sandbox: MessengerSandbox;
  worldKey: string;
  /** The environment that leads the messenger client to it. */
  variables: Record<string, string>;
  demoUser: DemoUser;
  stop: () => Promise<void>;
};

/** Throws StartError, before anything is started, when the export can't be used. */
export async function openMessenger(
  settings: { exportFile: string | undefined; ports: { messenger: number } },
  dataDir: string,
  say: (line: string) => void,
): Promise<OpenMessenger> {
  const { exportFile, ports } = settings;
  const folder = join(dataDir, 'sandbox');
  const worlds: [World, ...World[]] = exportFile ? [await loadExport(exportFile)] : sampleWorlds(startOfSample(folder));
  const [world] = worlds;
  const sandbox = await startMessengerSandbox({
    port: await portFor('the messenger sandbox', ports.messenger, say),
    stateDir: join(folder, world.key),
    worlds,
    log: createLog({ level: 'warn', name: 'sandbox' }, createRotatingLog(join(dataDir, 'logs', 'sandbox.log'))),
  });
  return {
    sandbox,
    worldKey: world.key,
    variables: messengerVariables(sandbox),
    demoUser: demoUser(world, sandbox),
    stop: sandbox.stop,
  };
}

function sampleWorlds(bornAt: Date): [World, ...World[]] {
  return [sampleWorld(bornAt), secondAccount(bornAt)];
}

/** Ids and dates of the sample messages follow from this moment, so it must be the same at every start. */
function startOfSample(folder: string): Date {
  const file = join(folder, 'sample-born');
  const kept = existsSync(file) ? new Date(readFileSync(file, 'utf8').trim()) : undefined;
  if (kept && !Number.isNaN(kept.getTime())) return kept;
  const now = new Date();
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, now.toISOString());
  return now;
}

function messengerVariables(messenger: MessengerSandbox): Record<string, string> {
  return {
    MESSENGER_API_ID: '1',
    MESSENGER_API_HASH: 'sandbox',
    MESSENGER_SERVER: `${messenger.host}:${messenger.port}`,
    MESSENGER_SERVER_KEY: Buffer.from(messenger.publicKeyPem).toString('base64'),
  };
}

/** The user for whom the first run does the main job: each account has its own. */
function demoUser(world: World, messenger: MessengerSandbox): DemoUser {
  const { owner, key } = world;
  const name = key === 'sample' ? owner.firstName : (owner.username ?? owner.firstName);
  const account = () => messenger.accounts().find(({ worldKey }) => worldKey === key);
  return {
    email: `${mailboxName(name) || 'demo'}@forenoon.test`,
    phone: owner.phone ?? '',
    password: world.password,
    newestCode: () => account()?.codes[0]?.code,
    // Of an export only this machine knows where its owner lives.
    timezone: key === 'sample' ? STORY_ZONE : Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function mailboxName(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  return plain.replace(/[^a-z0-9._-]/g, '').replace(/^[._-]+|(?<![._-])[._-]+$/g, '');
}
