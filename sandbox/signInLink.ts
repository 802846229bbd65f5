import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWithFiles } from '../src/config.ts';
import { StartError } from '../src/lib/startError.ts';
import { environmentOf, findOwnInstallation } from './ownInstallation.ts';
import { sentenceFrom } from './sentences.ts';
import { runningStart } from './startLock.ts';
import { ADDRESS_FILE, LOCK_FILE } from './startOwn.ts';

/*
 * `npm run sign-in-link`: a link for the owner, of the installation that `npm start` runs in this checkout, else of the one
 * that the environment describes.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const env = await environment();
  const child = spawn(process.execPath, [join(root, 'src', 'signInLink.ts')], { cwd: root, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} catch (error) {
  process.stderr.write(`${sentenceFrom(error)}\n`);
  process.exitCode = 1;
}

async function environment(): Promise<NodeJS.ProcessEnv> {
  const env = environmentWithFiles();
  const own = findOwnInstallation(env, root);
  if (!own) {
    if (env.OWNER_EMAIL) return process.env;
    throw new StartError('A link is for an installation of your own: npm start -- --setup. The demo needs none.');
  }
  const addressFile = join(own.folder, ADDRESS_FILE);
  const isRunning = runningStart(join(own.folder, LOCK_FILE)) !== undefined && existsSync(addressFile);
  if (!isRunning) throw new StartError('Forenoon isn’t running here. Start it with npm start, then try again.');
  const { openDatabase } = await import('./database.ts');
  const database = await openDatabase({ given: env.DATABASE_URL, dataDir: own.folder, say: () => undefined });
  const known = environmentOf(own, env, { databaseUrl: database.url, port: 0 });
  return { ...known, APP_URL: readFileSync(addressFile, 'utf8').trim() };
}
