import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeedContact } from '../../sandbox/crm/seed.ts';
import type { Db } from '../../src/lib/db.ts';
import { fillUp } from '../match/contactBook.ts';
import { generateWorld } from '../match/generatedWorld.ts';
import { seededRandom } from '../match/random.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { type Stage, setStage } from './stage.ts';
import { addedContactIds, contactBreaches, countOf, digestBreaches, noteBreaches, report } from './verdict.ts';

const CONTACTS = 2000;
const MESSAGES_A_DAY = 3;
const KILLS_A_DAY = 5;
/** Anything that takes longer dependsOnOmitted. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Workers sync 250 conversations, day after day, while a tenth of what the CRM answers is 429 or 500, some answers are
 * lost after the write, tokens expire in the middle, and the workers are killed at random moments during work. At
 * the end there is one undisturbed day, after which everything must exist exactly once.
 */
export async function chaosRun({ kills: wanted, seed }: { kills: number; seed: number }): Promise<boolean> {
  const { chats, contacts: known } = generateWorld(seed);
  const contacts = fillUp(known, CONTACTS, seededRandom(seed));
  let isGood = false;
  await withGround(async ground => {
    const stage = await setStage(ground, { chats, contacts, messagesEach: MESSAGES_A_DAY });
    const workers = startWorkers({ ...ground.env, LOG_LEVEL: process.env.BENCH_LOG ?? 'fatal' });
    spoil(stage);
    const started = Date.now();
    let days = 0;
    let kills = 0;
    const oneDay = async (mostKills: number) => {
      if (days > 0) stage.write(MESSAGES_A_DAY);
      if (days > 0) await moveDigestsBack(ground.db);
      days++;
      await stage.startSync();
      kills += await untilDone(stage, workers, mostKills);
      print(`day ${days}: ${kills} kills, ${stage.crm.notes().length} notes, ${seconds(started)} s`);
    };
    while (kills < wanted) await oneDay(Math.min(KILLS_A_DAY, wanted - kills));
    stage.crm.faults.clear();
    await oneDay(0);
    workers.kill();
    print(`\n${chats.length} conversations, ${days} days, ${kills} kills, ${seconds(started)} s`);
    isGood = await verdict(stage, { seeds: contacts, digests: days * chats.length });
    await stage.stop();
  });
  return isGood;
}

type Expected = { seeds: readonly SeedContact[]; digests: number };

async function verdict(stage: Stage, { seeds, digests }: Expected): Promise<boolean> {
  const { db } = stage.ground;
  for (const [kind, count] of Object.entries(stage.crm.calls())) print(`${String(count).padStart(7)}  ${kind}`);
  const isGood = report({
    ...(await noteBreaches(stage)),
    ...(await contactBreaches(stage, seeds)),
    ...(await digestBreaches(stage.ground)),
    'digests missing': digests - (await countOf(db, 'select count(*) from digests')),
  });
  const made = addedContactIds(stage, seeds).length;
  const foundAgain = made - (await countOf(db, `select count(*) from dialogs where match_status = 'CREATED'`));
  print(
    `${stage.crm.notes().length} notes, ${made} contacts created, ${foundAgain} of them found again at a later sync`,
  );
  const { rows } = await db.raw(`select id, errors from sync_jobs where errors <> '[]' order by created_at`);
  for (const { id, errors } of rows) print(`told by sync ${id.split(':').at(-1)}: ${errors.map(words).join('; ')}`);
  print(`${await countOf(db, 'select sum(notes_created) as count from sync_jobs')} notes stood when their sync ended`);
  return isGood;
}

function spoil({ crm: { faults } }: Stage): void {
  faults.always({ share: 0.05, status: 429, retryAfterSeconds: 1 });
  faults.always({ share: 0.05, status: 500 });
  faults.always({ on: 'notes', share: 0.1, losesAnswer: true });
  faults.always({ on: 'contacts.create', share: 0.1, losesAnswer: true });
  faults.delay(50);
}

/** `died` is how a worker ended that no one killed. */
type Workers = { kill(): void; restart(): void; died(): string };

function startWorkers(env: Record<string, string>): Workers {
  let workers: ChildProcess[] = [];
  let died = '';
  const start = () => {
    workers = [1, 2].map(() => spawnScript(['src/worker.ts'], env));
    for (const worker of workers)
      worker.once('exit', (code, signal) => {
        if (signal !== 'SIGKILL') died = String(code ?? signal);
      });
  };
  const kill = () => {
    for (const worker of workers) worker.kill('SIGKILL');
  };
  start();
  return {
    kill,
    restart() {
      kill();
      start();
    },
    died: () => died,
  };
}

/** Kills workers at random moments during work until the sync is over and all notes are written. Returns how often. */
async function untilDone(stage: Stage, workers: Workers, mostKills: number): Promise<number> {
  const { db } = stage.ground;
  const deadline = Date.now() + PATIENCE_MS;
  let kills = 0;
  let killedAt = new Date(0);
  for (;;) {
    await sleep(100);
    const isSyncing = (await countOf(db, `select count(*) from sync_jobs where state in ('waiting', 'active')`)) > 0;
    const left = await countOf(db, `select count(*) from outbox_notes where state not in ('written', 'failed')`);
    if (!isSyncing && left === 0) return kills;
    if (Date.now() > deadline) {
      print(await describeStandstill(db));
      throw new Error(`not done in time: ${isSyncing ? 'syncing' : `${left} notes left`}`);
    }
    if (workers.died()) throw new Error(`a worker ended without being killed (${workers.died()})`);
    if (kills >= mostKills || !(await isAtWork(db, killedAt))) continue;
    if (!(await momentComes(db, killedAt))) continue;
    workers.restart();
    killedAt = new Date();
    kills++;
    if (Math.random() < 0.3) stage.crm.faults.expireAccessTokens();
  }
}

/** What waits for what, when nothing ends any more. */
async function describeStandstill(db: Db): Promise<string> {
  const { rows } = await db.raw(`
    select jsonb_build_object(
      'jobs', (select jsonb_agg(to_jsonb(j)) from (select name, state, retry_count, started_on, start_after, heartbeat_on
        from pgboss.job where state in ('created', 'retry', 'active') limit 20) j),
      'syncs', (select jsonb_agg(to_jsonb(s)) from (select * from sync_jobs
        where state in ('waiting', 'active')) s),
      'statements', (select jsonb_agg(to_jsonb(a)) from (select state, wait_event_type, wait_event, xact_start, left(query, 200) as query
        from pg_stat_activity where datname = current_database() and state <> 'idle') a)) as standstill`);
  return JSON.stringify(rows[0]?.standstill, null, 2);
}

/** Whether a worker has resumed a job since the last kill. */
async function isAtWork(db: Db, since: Date): Promise<boolean> {
  const { rows } = await db.raw(
    `select 1 from pgboss.job where name in ('sync', 'notes') and state = 'active' and started_on > ? limit 1`,
    [since],
  );
  return rows.length > 0;
}

/**
 * Waits for a random moment, half of the time for one at which notes are being written. False when the work ends first.
 */
async function momentComes(db: Db, killedAt: Date): Promise<boolean> {
  if (Math.random() < 0.5) {
    await sleep(Math.random() * 12_000);
    return isAtWork(db, killedAt);
  }
  while (await isAtWork(db, killedAt)) {
    const claimed = await countOf(
      db,
      'select count(*) from outbox_notes where claim is not null and claimed_until > now()',
    );
    if (claimed > 0) {
      await sleep(Math.random() * 200);
      return true;
    }
    await sleep(10);
  }
  return false;
}

/** A process always has today's date, so the digests are dated back instead. */
async function moveDigestsBack(db: Db): Promise<void> {
  await db.raw(`update digests set digest_date = digest_date - 1000`);
  await db.raw(`update digests set digest_date = digest_date + 999`);
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);

const words = ({ stage, code }: { stage: string; code: string }) => `${stage} ${code}`;
