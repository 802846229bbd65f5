import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { StartError } from '../src/lib/errors.ts';
import { readSettings } from '../src/lib/settingsFile.ts';
import { openDatabase } from './database.ts';
import { environmentOf, type OwnInstallation } from './ownInstallation.ts';
import { portFor } from './ports.ts';
import { runService, type Starting } from './runService.ts';
import { takeStartLock } from './startLock.ts';
import { untilReady } from './untilReady.ts';

const STANDARD_PORT = 3000;
/** For reading the settings before there is a database. */
const NO_DATABASE = 'postgres://127.0.0.1/none';

/** The file, in the folder of an installation, that holds its address. */
export const ADDRESS_FILE = 'address';
export const LOCK_FILE = 'start.pid';

/**
 * A self-hosted installation: the embedded PostgreSQL (or DATABASE_URL), migrations, web and worker, with the real
 * services and in a folder of its own, so that no sandbox session ever reaches the real messenger.
 */
export async function startOwn(own: OwnInstallation, env: NodeJS.ProcessEnv, starting: Starting): Promise<void> {
  const { terminal, stopping } = starting;
  const { say } = terminal;
  await using started = new AsyncDisposableStack();
  started.defer(takeStartLock(join(own.folder, LOCK_FILE)));
  const wantedPort = requireSettings(own, env);
  const port = await portFor('Forenoon', wantedPort, say);

  const given = env.DATABASE_URL ?? readSettings(own.settingsFile).DATABASE_URL;
  const database = await openDatabase({ given: given || undefined, dataDir: own.folder, say });
  started.defer(database.stop);
  stopping.signal.throwIfAborted();

  const childEnv = environmentOf(own, env, { databaseUrl: database.url, port });
  const { appUrl, host, mail, ownerEmail } = loadConfig(childEnv);
  const children = await runService({ env: childEnv, dataDir: own.folder, watch: false }, starting);
  started.defer(children.stop);
  await untilReady(`http://${reachable(host)}:${port}`, stopping.signal);

  const addressFile = join(own.folder, ADDRESS_FILE);
  writeFileSync(addressFile, `${appUrl}\n`);
  started.defer(() => rmSync(addressFile, { force: true }));
  const signIn = mail.url ? `sign in as ${ownerEmail ?? 'yourself'}` : 'sign in with a link: npm run sign-in-link';
  say(`ready: open ${appUrl} and ${signIn}`);
  await stopping.requested;
}

/** Says everything that is missing before anything starts. @returns the wanted port */
function requireSettings(own: OwnInstallation, env: NodeJS.ProcessEnv): number {
  try {
    const known = environmentOf(own, env, { databaseUrl: NO_DATABASE, port: STANDARD_PORT });
    return loadConfig({ ...known, PORT: env.PORT || readSettings(own.settingsFile).PORT || '' }).port;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new StartError(
      `${error.message}\nnpm start -- --setup completes ${own.settingsFile}; npm start -- --demo runs the demo.`,
    );
  }
}

function reachable(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
