import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWithFiles } from '../src/config.ts';
import { StartError } from '../src/lib/errors.ts';
import { environmentOf, findOwnInstallation } from './ownInstallation.ts';
import { sentenceFrom } from './sentences.ts';
import { runningStart } from './startLock.ts';
import { ADDRESS_FILE, LOCK_FILE } from './startOwn.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a command of `src` for the installation that `npm start` runs in this checkout, else for the one that the
 * environment describes. Its exit code is ours.
 * @param elsewhere throws if the command isn't for the latter
 */
export async function runBeside(command: string, elsewhere: (env: NodeJS.ProcessEnv) => void): Promise<void> {
  try {
    const args = [join(root, 'src', command), ...process.argv.slice(2)];
    const env = await environment(elsewhere);
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } catch (error) {
    process.stderr.write(`${sentenceFrom(error)}\n`);
    process.exitCode = 1;
  }
}

async function environment(elsewhere: (env: NodeJS.ProcessEnv) => void): Promise<NodeJS.ProcessEnv> {
  const env = environmentWithFiles();
  const own = findOwnInstallation(env, root);
  if (!own) {
    elsewhere(env);
    return process.env;
  }
  const addressFile = join(own.folder, ADDRESS_FILE);
  const isRunning = runningStart(join(own.folder, LOCK_FILE)) !== undefined && existsSync(addressFile);
  if (!isRunning) throw new StartError('Forenoon isn’t running here. Start it with npm start, then try again.');
  const { openDatabase } = await import('./database.ts');
  const database = await openDatabase({ given: env.DATABASE_URL, dataDir: own.folder, say: () => undefined });
  const known = environmentOf(own, env, { databaseUrl: database.url, port: 0 });
  return { ...known, APP_URL: readFileSync(addressFile, 'utf8').trim() };
}
