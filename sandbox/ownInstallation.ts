import { existsSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentOfChildren } from '../src/config.ts';
import { readSettings } from '../src/lib/settingsFile.ts';
import { fallbackFolder, ownFolder } from './folders.ts';

/** A self-hosted installation: its folder, apart from the demo's, and the file with its settings. */
export type OwnInstallation = { folder: string; settingsFile: string };

const NAME = 'own';
const SETTINGS = 'settings.env';

/** The installation that this user has set up, or begun to set up. */
export function findOwnInstallation(env: NodeJS.ProcessEnv, root: string): OwnInstallation | undefined {
  const wanted = wantedFolder(env, root);
  const found = [wanted, fallbackFolder(wanted)].find(folder => isOurs(join(folder, SETTINGS)));
  return found === undefined ? undefined : { folder: found, settingsFile: join(found, SETTINGS) };
}

/** The existing installation, else the folder of a new one. */
export function openOwnInstallation(env: NodeJS.ProcessEnv, root: string, say: (line: string) => void): OwnInstallation {
  const found = findOwnInstallation(env, root);
  if (found) return found;
  const folder = ownFolder(wantedFolder(env, root), say);
  return { folder, settingsFile: join(folder, SETTINGS) };
}

/**
 * The environment of its processes: its settings, overridden by the variables of this environment, then by what this
 * start decided. It runs in production mode: without any of the sandbox, and by default only this machine can reach it.
 */
export function environmentOf(
  { folder, settingsFile }: OwnInstallation,
  env: NodeJS.ProcessEnv,
  decided: { databaseUrl: string; port: number },
): NodeJS.ProcessEnv {
  const set = { ...withoutEmpty(readSettings(settingsFile)), ...withoutEmpty(env) };
  return environmentOfChildren({
    ...{ HOST: '127.0.0.1', APP_URL: `http://localhost:${decided.port}`, DATABASE_URL: decided.databaseUrl },
    // Node starts its processes in half the time from the second start on.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ...set,
    ...{ PORT: String(decided.port), NODE_ENV: 'production' },
  });
}

function withoutEmpty(values: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
}

function wantedFolder(env: NodeJS.ProcessEnv, root: string): string {
  return join(resolve(root, env.FORENOON_DATA_DIR || '.data'), NAME);
}

function isOurs(file: string): boolean {
  return existsSync(file) && (!process.getuid || lstatSync(file).uid === process.getuid());
}
