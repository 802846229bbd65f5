import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Db } from '../../src/lib/db.ts';
import { spawnScript } from '../support/ground.ts';
import { countOf } from './verdict.ts';

const QUEUES = `('sync', 'tasks', 'notes', 'crm-ready')`;

/** A worker that finds no database at its start ends, and the platform starts it again. */
const STARTING_MS = 5000;

/** Two workers, of which one at a time is killed; one that ends is started again. */
export function startWorkers(env: Record<string, string>) {
  let deaths = 0;
  let isOver = false;
  const workers: ChildProcess[] = [];
  const start = (slot: number) => {
    const started = Date.now();
    const worker = spawnScript(['src/worker.ts'], { ...env, LOG_LEVEL: 'fatal' });
    workers[slot] = worker;
    worker.once('exit', (_, signal) => {
      if (isOver) return;
      if (signal !== 'SIGKILL' && Date.now() - started > STARTING_MS) deaths++;
      setTimeout(start, signal === 'SIGKILL' ? 0 : 500, slot);
    });
  };
  start(0);
  start(1);
  return {
    async killOne(db: Db) {
      const worker = workers[Math.random() < 0.5 ? 0 : 1] as ChildProcess;
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
      await expireLeases(db);
    },
    stop() {
      isOver = true;
      for (const worker of workers) worker.kill('SIGKILL');
    },
    /** How many ended that no one killed, after their start. */
    deaths: () => deaths,
  };
}

export async function isDone(db: Db): Promise<boolean> {
  const left = await countOf(
    db,
    `select (select count(*) from sync_jobs where state in ('waiting', 'active'))
      + (select count(*) from pgboss.job where name in ${QUEUES} and state in ('created', 'retry', 'active'))
      + (select count(*) from outbox_notes where state not in ('written', 'failed'))
      + (select count(*) from outbox_tasks where state not in ('written', 'archived', 'gone')) as count`,
  );
  return left === 0;
}

/** Waits for a random moment of the work, most of the time one at which notes or tasks are claimed. */
export async function momentOfWork(db: Db): Promise<boolean> {
  const atWork = async () =>
    (await countOf(db, `select count(*) from pgboss.job where name in ${QUEUES} and state = 'active'`)) > 0;
  if (!(await atWork())) return false;
  if (Math.random() < 0.4) {
    await sleep(Math.random() * 2000);
    return atWork();
  }
  while (await atWork()) {
    const claimed = await countOf(
      db,
      `select (select count(*) from outbox_notes where claim is not null and claimed_until > now())
        + (select count(*) from outbox_tasks where claim is not null and claimed_until > now()) as count`,
    );
    if (claimed > 0) {
      await sleep(Math.random() * 150);
      return true;
    }
    await sleep(10);
  }
  return false;
}

export async function makeRetriesDue(db: Db): Promise<void> {
  await db.raw(`update pgboss.job set start_after = now()
    where state in ('created', 'retry') and start_after > now() and name in ${QUEUES}`);
}

/** Those of the one that was killed: others would wait for their end. Those of the other are renewed soon. */
async function expireLeases(db: Db): Promise<void> {
  await db.raw(`update leases set held_until = now() where held_until < now() + interval '8 seconds'`);
}

/** Kills all connections, as a restart of the database does. */
export async function killBackends(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await client.end();
}
