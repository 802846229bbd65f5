import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';
import type { Stage } from '../crm/stage.ts';
import { countOf } from '../crm/verdict.ts';
import { spawnScript } from '../support/ground.ts';

/** Anything that takes longer dependsOnOmitted. */
const PATIENCE_MS = 10 * 60_000;
const AT_WORK = `select count(*) from pgboss.job where name in ('sync', 'tasks') and state = 'active'`;
const CLAIMED = 'select count(*) from outbox_tasks where claim is not null and claimed_until > now()';
const LEFT = `select count(*) from outbox_tasks where state not in ('written', 'archived', 'gone')`;
const WAITING = `select count(*) from pgboss.job where name in ('sync', 'tasks', 'notes', 'crm-ready')
  and state in ('created', 'retry', 'active')`;

export type KilledWorker = {
  /** Kills the worker that often at random moments of its work, until all work is done. Returns how often. */
  untilDone(mostKills: number): Promise<number>;
  stop(): void;
};

export function startWorker({ ground: { db, env } }: Stage): KilledWorker {
  const start = () => spawnScript(['src/worker.ts'], { ...env, LOG_LEVEL: 'fatal' });
  let worker = start();
  return {
    stop: () => void worker.kill('SIGKILL'),
    async untilDone(mostKills) {
      const deadline = Date.now() + PATIENCE_MS;
      for (let kills = 0; ; ) {
        await makeRetriesDue(db);
        if ((await countOf(db, WAITING)) === 0 && (await countOf(db, LEFT)) === 0) return kills;
        if (Date.now() > deadline) throw new Error('not done in time');
        if (kills < mostKills && (await momentComes(db))) {
          await kill(worker);
          await expireLeases(db);
          worker = start();
          kills++;
        }
        await sleep(50);
      }
    },
  };
}

async function kill(worker: ChildProcess): Promise<void> {
  const isOver = once(worker, 'exit');
  worker.kill('SIGKILL');
  await isOver;
}

/** A random moment of the work, most of the time one at which tasks are claimed. */
async function momentComes(db: Db): Promise<boolean> {
  if ((await countOf(db, AT_WORK)) === 0) return false;
  if (Math.random() < 0.2) {
    await sleep(Math.random() * 500);
    return (await countOf(db, AT_WORK)) > 0;
  }
  while ((await countOf(db, AT_WORK)) > 0) {
    if ((await countOf(db, CLAIMED)) > 0) {
      await sleep(Math.random() * 120);
      return true;
    }
    await sleep(5);
  }
  return false;
}

async function makeRetriesDue(db: Db): Promise<void> {
  await db.raw(`update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()
    and name in ('sync', 'tasks', 'notes')`);
}

/** Expires the dead worker's leases: others would wait for their end. */
async function expireLeases(db: Db): Promise<void> {
  await db.raw(
    `update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active' and heartbeat_on is not null`,
  );
  await db.raw(`update messenger_accounts set lease_until = now() - interval '1 hour'`);
  await db.raw(`update outbox_tasks set claimed_until = now() where claim is not null`);
  await db.raw(`update outbox_notes set claimed_until = now() where claim is not null`);
}
