import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../src/lib/errors.ts';
import { freePort } from './ports.ts';
import { findPostgresHome, giveTo, ids, type PostgresHome } from './postgresHome.ts';
import { commandOf } from './processes.ts';

export type PostgresServer = {
  /** Address of a database on this server, password included. */
  url(database: string): string;
  port: number;
  /** The folder that really has the data, not always the one given. */
  dataDir: string;
  /** Disconnects all clients and shuts down; resolves when the server is gone, even if it was gone before. */
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  /** By default any free port. A server that is already running keeps its own. */
  port?: number;
  /** False gives up durability for speed, for tests. */
  durable: boolean;
  log: (line: string) => void;
};

const SUPERUSER = 'forenoon';
const MAJOR_VERSION = '18';
const BYTES_OF_LOG = 5_000_000;
const TRIM_EVERY_MS = 3_600_000;

/**
 * Starts the PostgreSQL that comes with npm, on loopback, with a password kept beside the data folder.
 * It runs as a daemon: Ctrl-C does not reach it, and a server left over from a killed start is used again.
 * Throws {@link StartError} with a sentence when it can't.
 */
export async function startPostgres({ dataDir, port, durable, log }: Options): Promise<PostgresServer> {
  const home = await findPostgresHome(dataDir, log);
  const password = await createCluster(home, durable);
  const running = await runningPort(home, password);
  const realPort = running ?? (await launch(home, { port, durable, password }));
  const trimming = setInterval(() => trimLog(logFile(home)), TRIM_EVERY_MS).unref();
  return {
    port: realPort,
    dataDir: home.dataDir,
    url: database => address(password, realPort, database),
    stop: () => {
      clearInterval(trimming);
      return shutDown(home);
    },
  };
}

/** Creates the database unless it exists. The name is ours, never user input. */
export async function ensureDatabase(server: PostgresServer, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Makes the data folder unless it is there. Returns the password. */
async function createCluster(home: PostgresHome, durable: boolean): Promise<string> {
  const passwordFile = `${home.dataDir}.password`;
  if (existsSync(home.dataDir)) {
    requireOurVersion(home.dataDir);
    if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim();
    throw new StartError(`${passwordFile} is missing. Bring it back, or remove ${home.dataDir} to begin with an empty one.`);
  }
  const password = randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(home.runAs, passwordFile);
  // The cluster is created in another folder and renamed, so that an interrupted start never leaves half of one.
  const fresh = `${home.dataDir}.new`;
  rmSync(fresh, { recursive: true, force: true });
  makeFolderFor(home, fresh);
  await run(home, home.initdb, [
    ...['-D', fresh, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    // The locale is the same on every machine.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ...(durable ? [] : ['--no-sync']),
  ]);
  renameSync(fresh, home.dataDir);
  return password;
}

function requireOurVersion(dataDir: string): void {
  const versionFile = join(dataDir, 'PG_VERSION');
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : 'none';
  if (version === MAJOR_VERSION) return;
  throw new StartError(
    version === 'none'
      ? `${dataDir} holds no database. Remove it, and the next start makes one.`
      : `${dataDir} was made by PostgreSQL ${version}, this is ${MAJOR_VERSION}. Move it away to begin with an empty one.`,
  );
}

function makeFolderFor(home: PostgresHome, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  giveTo(home.runAs, folder);
}

type PidFile = { pid: number; dataDir: string; port: number };

/** Returns the port of the server that already runs on this folder. A stale pid file is removed. */
async function runningPort(home: PostgresHome, password: string): Promise<number | undefined> {
  const found = readPidFile(home.dataDir);
  if (!found) return undefined;
  const ours = isSameFolder(found.dataDir, home.dataDir) && isServerOf(found.dataDir, found.pid);
  if (ours && (await answers(address(password, found.port, 'postgres'), 30_000))) return found.port;
  // A power cut or a copied folder left it: its process id may belong to any process by now, and would keep the server
  // from starting.
  if (!ours) rmSync(join(home.dataDir, 'postmaster.pid'), { force: true });
  return undefined;
}

function readPidFile(dataDir: string): PidFile | undefined {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, folder, , port] = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(pid), dataDir: folder ?? '', port: Number(port) };
}

function isSameFolder(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}

function isServerOf(dataDir: string, pid: number): boolean {
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(dataDir);
}

async function answers(url: string, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  do {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
    const answered = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (answered) return true;
    await sleep(200);
  } while (Date.now() < end);
  return false;
}

type Launch = { port?: number | undefined; durable: boolean; password: string };

/** Starts the server and returns its port. If another process took the port in the meantime, another port is used. */
async function launch(home: PostgresHome, options: Launch): Promise<number> {
  trimLog(logFile(home));
  for (let attempt = 1; ; attempt += 1) {
    const port = attempt === 1 && options.port ? options.port : await freePort();
    try {
      await pgCtl(home, ['start', '-l', logFile(home), '-o', serverOptions(port, options.durable)]);
      if (await answers(address(options.password, port, 'postgres'), 10_000)) return port;
      throw new StartError(
        `PostgreSQL runs on port ${port} but does not let us in: ${home.dataDir}.password is not its password.`,
      );
    } catch (error) {
      const portTaken = lastLines(logFile(home)).includes('could not bind');
      if (!portTaken || attempt === 3) throw error;
    }
  }
}

/** Nothing in it outlives a run, and no table grows old enough to be vacuumed. */
const SHORT_LIVED = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0', autovacuum: 'off', jit: 'off', max_connections: '400' },
};

function serverOptions(port: number, durable: boolean): string {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    // A failed statement and its details would quote what people wrote.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(durable ? {} : SHORT_LIVED),
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
}

async function shutDown(home: PostgresHome): Promise<void> {
  if (!readPidFile(home.dataDir)) return;
  await pgCtl(home, ['stop', '-m', 'fast', '-t', '20']).catch(error => {
    if (readPidFile(home.dataDir)) throw error;
  });
}

async function pgCtl(home: PostgresHome, args: string[]): Promise<void> {
  await run(home, home.pgCtl, ['-D', home.dataDir, '-w', ...args]);
}

/**
 * Runs the program in its own session, since Ctrl-C must not reach a half-started server. Throws with its last output.
 */
async function run(home: PostgresHome, program: string, args: string[]): Promise<void> {
  // Under faketime the server goes by the clock of the processes that use it.
  const { LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC } = process.env;
  const clock = FAKETIME ? { LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC } : {};
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...clock };
  const child = spawn(program, args, {
    ...ids(home.runAs),
    ...{ cwd: dirname(home.dataDir), env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  let words = '';
  child.stderr?.on('data', chunk => {
    words += chunk;
  });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  const reason = [words.trim(), lastLines(logFile(home))].filter(Boolean).join('\n');
  throw new StartError(`PostgreSQL's ${basename(program)} failed in ${home.dataDir}:\n${reason}`);
}

function address(password: string, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

function logFile(home: PostgresHome): string {
  return join(home.dataDir, 'server.log');
}

/** The server has the file open and appends: it is emptied in its place, and the copy before is replaced. */
function trimLog(file: string): void {
  if (!existsSync(file) || statSync(file).size <= BYTES_OF_LOG) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

function lastLines(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n') : '';
}
