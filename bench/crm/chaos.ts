import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';
import { fillUp } from '../match/contactBook.ts';
import { generateWorld } from '../match/generatedWorld.ts';
import { seededRandom } from '../match/random.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { type Stage, setStage } from './stage.ts';
import { contactBreaches, countOf, digestBreaches, noteBreaches, report } from './verdict.ts';

const CONTACTS = 2000;
const MESSAGES_A_DAY = 3;
/** Nothing may take longer, or it hangs. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Two workers sync 250 conversations, day after day, while a tenth of what the CRM answers is 429 or 500, some answers
 * are lost after the writing, tokens expire in the middle, and one of the workers is killed at random moments.
 */
export async function chaosRun({ kills: wanted, seed }: { kills: number; seed: number }): Promise<boolean> {
  const { chats, contacts: known } = generateWorld(seed);
  const contacts = fillUp(known, CONTACTS, seededRandom(seed));
  let isGood = false;
  await withGround(async ground => {
    const stage = await setStage(ground, { chats, contacts, messagesEach: MESSAGES_A_DAY });
    const workers = startWorkers({ ...ground.env, LOG_LEVEL: 'fatal' });
    spoil(stage);
    const started = Date.now();
    let days = 0;
    let kills = 0;
    while (kills < wanted || days === 0) {
      if (days > 0) stage.write(MESSAGES_A_DAY);
      if (days > 0) await moveDigestsBack(ground.db);
      days++;
      await stage.startSync();
      kills += await untilDone(
        ground.db,
        () => kills < wanted && (days === 1 || Math.random() < 0.7),
        () => {
          workers.killOne();
          if (Math.random() < 0.3) stage.crm.faults.expireAccessTokens();
        },
      );
      print(`day ${days}: ${kills} kills, ${stage.crm.notes().length} notes, ${seconds(started)} s`);
    }
    workers.stop();
    print(`\n${chats.length} conversations, ${days} days, ${kills} kills, ${seconds(started)} s`);
    for (const [kind, count] of Object.entries(stage.crm.calls())) print(`${String(count).padStart(7)}  ${kind}`);
    isGood = report({
      ...(await noteBreaches(stage)),
      ...(await contactBreaches(stage, contacts.length)),
      ...(await digestBreaches(ground)),
      'digests missing': days * chats.length - (await countOf(ground.db, 'select count(*) from digests')),
      'kills left out': Math.max(0, wanted - kills),
    });
    print(`${stage.crm.notes().length} notes, ${stage.crm.contacts().length - contacts.length} contacts created`);
    const counted = await countOf(ground.db, 'select sum(notes_created) as count from sync_jobs');
    print(`${counted} of the notes stood when their sync ended`);
    await stage.stop();
  });
  return isGood;
}

function spoil({ crm: { faults } }: Stage): void {
  faults.failShare({ share: 0.05, status: 429, retryAfterSeconds: 1 });
  faults.failShare({ share: 0.05, status: 500 });
  faults.loseShare({ kind: 'notes', share: 0.1 });
  faults.loseShare({ kind: 'contacts.create', share: 0.1 });
  faults.delay(50);
}

function startWorkers(env: Record<string, string>) {
  const workers: ChildProcess[] = [];
  const start = (slot: number) => {
    workers[slot] = spawnScript(['src/worker.ts'], env);
  };
  start(0);
  start(1);
  return {
    killOne() {
      const slot = Math.random() < 0.5 ? 0 : 1;
      workers[slot]?.kill('SIGKILL');
      start(slot);
    },
    stop() {
      for (const worker of workers) worker.kill('SIGKILL');
    },
  };
}

/** Kills until the sync is over and no note is left to write. Returns how often. */
async function untilDone(db: Db, mayKill: () => boolean, kill: () => void): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  let kills = 0;
  for (;;) {
    await sleep(300 + Math.random() * 3000);
    const isSyncing = (await countOf(db, `select count(*) from sync_jobs where state in ('waiting', 'active')`)) > 0;
    const left = await countOf(db, `select count(*) from crm_notes where state not in ('written', 'failed')`);
    if (!isSyncing && left === 0) return kills;
    if (Date.now() > deadline) throw new Error(`not done in time: ${isSyncing ? 'syncing' : `${left} notes left`}`);
    if (!mayKill()) continue;
    kill();
    kills++;
  }
}

/** Processes can't be told another date, but yesterday's digests can. */
async function moveDigestsBack(db: Db): Promise<void> {
  await db.raw(`update digests set digest_date = digest_date - 1000`);
  await db.raw(`update digests set digest_date = digest_date + 999`);
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
