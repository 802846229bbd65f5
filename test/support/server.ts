import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { startPostgres } from '../../sandbox/postgres.ts';
import { createDatabase } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { migrateToLatest } from '../../src/lib/migrations.ts';
import { createQueue, installQueue } from '../../src/lib/queue.ts';
import { until } from './until.ts';

/*
 * One Postgres per run, made by mocha's parent process, used by its workers, who learn its address from a file.
 * TEST_DATABASE_URL names another server instead: a user who may create databases is enough.
 */

const FOLDER_VARIABLE = 'FORENOON_TEST_RUN';
const SWEEPER = fileURLToPath(new URL('./sweeper.ts', import.meta.url));
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4e9;

const readiness = z.union([z.object({ adminUrl: z.string(), template: z.string() }), z.object({ error: z.string() })]);
type Readiness = z.infer<typeof readiness>;
export type TestServer = { adminUrl: string; template: string };

let starting: Promise<Readiness> | undefined;
let sweeper: ChildProcess | undefined;

export function startTestServer(): void {
  const folder = mkdtempSync(join(roomInMemory() ?? tmpdir(), 'forenoon-test-'));
  process.env[FOLDER_VARIABLE] = folder;
  // Ends the server and removes the folder once this process is gone, however it went.
  sweeper = spawn(process.execPath, [SWEEPER, folder], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  // An interrupted run must not be kept alive by it.
  sweeper.unref();
  if (sweeper.stdin instanceof Socket) sweeper.stdin.unref();
  starting = prepare(folder)
    .catch(error => ({ error: String(error?.stack ?? error) }))
    .then(async outcome => {
      await writeFileAtomic(readyFile(folder), JSON.stringify(outcome), { mode: 0o600 });
      return outcome;
    });
}

export async function stopTestServer(): Promise<void> {
  const outcome = await starting;
  if (process.env.TEST_DATABASE_URL && outcome && 'template' in outcome) {
    await administer(outcome.adminUrl, `drop database if exists ${outcome.template} with (force)`);
  }
  if (!sweeper) return;
  sweeper.ref();
  const gone = once(sweeper, 'exit');
  sweeper.stdin?.end();
  await gone;
}

/** A thousand databases come and go: files are made and removed several times faster in memory, where a machine has much. */
function roomInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return bavail * bsize > MEMORY_BYTES ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}

/** The run's server, once it is ready. Throws with the reason when it could not be started. */
export async function testServer(): Promise<TestServer> {
  const folder = process.env[FOLDER_VARIABLE];
  if (!folder) throw new Error('No test server: run the tests with mocha and its .mocharc.cjs.');
  await until(() => existsSync(readyFile(folder)));
  const outcome = readiness.parse(JSON.parse(readFileSync(readyFile(folder), 'utf8')));
  if ('error' in outcome) throw new Error(`The test server could not be started: ${outcome.error}`);
  return outcome;
}

export async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The address of another database on the same server. */
export function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** The schema is made once, by the repository's own migrations; each test database is a copy of it. */
async function prepare(folder: string): Promise<TestServer> {
  const adminUrl = process.env.TEST_DATABASE_URL ?? (await ownServer(folder));
  const template = `forenoon_template_${randomBytes(4).toString('hex')}`;
  await administer(adminUrl, `create database ${template}`);
  const url = urlOf(adminUrl, template);
  const db = createDatabase(url, { pool: 1 });
  await migrateToLatest(db);
  await db.destroy();
  await installQueues(url);
  return { adminUrl, template };
}

/** Services that tests start find their queues: each of two processes would ask for two dozen. */
async function installQueues(url: string): Promise<void> {
  const log = createLog({ level: 'error', name: 'test' });
  await installQueue(url, log);
  // This process has no other use for the product's code, which takes a second to load.
  const { prepareQueues } = await import('../../src/jobs.ts');
  const queue = createQueue({ url, works: false, pool: 1, log });
  await queue.start();
  await prepareQueues(queue);
  await queue.stop({ graceful: false });
}

async function ownServer(folder: string): Promise<string> {
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false, log });
  const url = server.url('postgres');
  // Otherwise each of some ten thousand connections hashes the password 4,096 times.
  const { username, password } = new URL(url);
  const again = `alter role ${pg.escapeIdentifier(username)} password ${pg.escapeLiteral(password)}`;
  await administer(url, `set scram_iterations = 1; ${again}`);
  return url;
}

function readyFile(folder: string): string {
  return join(folder, 'ready.json');
}
