import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../sandbox/postgres.ts';
import { createDatabase, type Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { migrateToLatest } from '../../src/lib/migrations.ts';
import { installQueue } from '../../src/lib/queue.ts';

export type Ground = { url: string; db: Db; folder: string; env: Record<string, string> };

/** A database with the whole schema on a server of its own, and what a process of the service is started with. */
export async function withGround(use: (ground: Ground) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forenoon-bench-'));
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true, log: print });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      for (const child of children) child.kill('SIGKILL');
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      process.exit(1);
    });
  }
  try {
    const url = await newDatabase(server.url('postgres'), 'bench', name => server.url(name));
    const db = createDatabase(url, { pool: 4, patience: 'long' });
    await migrateToLatest(db);
    await installQueue(url, createLog({ level: 'error', name: 'bench' }));
    await use({ url, db, folder, env: environment(url) });
    await db.destroy();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newDatabase(adminUrl: string, name: string, urlOf: (name: string) => string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return urlOf(name);
}

function environment(url: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: url,
    APP_URL: 'http://127.0.0.1:3000',
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MESSENGER_API_ID: '1',
    MESSENGER_API_HASH: 'bench',
    RATE_LIMIT_API: '1000000',
    RATE_LIMIT_PAGES: '1000000',
    LOG_LEVEL: 'warn',
  };
}

const children = new Set<ChildProcess>();

/** Runs a script as a process of its own; a benchmark that is stopped ends it. */
export function spawnScript(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Waits until the address answers. */
export async function untilAnswering(url: string): Promise<void> {
  for (let asked = 0; asked < 600; asked++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
