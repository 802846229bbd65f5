import { setTimeout as sleep } from 'node:timers/promises';
import { fillUp } from '../match/contactBook.ts';
import { generateWorld } from '../match/generatedWorld.ts';
import { readGivenWorld } from '../match/givenWorld.ts';
import { seededRandom } from '../match/random.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { type Stage, setStage } from './stage.ts';
import { contactBreaches, countOf, digestBreaches, noteBreaches, report } from './verdict.ts';

const CONTACTS = 20_000;
const SEARCHES = 25;

/** One sync of 250 conversations with 20,000 contacts: the calls it makes to the CRM, and what the CRM has afterwards. */
export async function calmRun(dataFolder: string): Promise<boolean> {
  const { name, chats, contacts: known } = readGivenWorld(dataFolder) ?? generateWorld(1);
  const contacts = fillUp(known, CONTACTS, seededRandom(1));
  let isGood = false;
  await withGround(async ground => {
    const stage = await setStage(ground, { chats, contacts, messagesEach: 4 });
    const worker = spawnScript(['src/worker.ts'], { ...ground.env, LOG_LEVEL: 'error' });
    stage.crm.resetCalls();
    const started = Date.now();
    const { jobId } = await stage.startSync();
    const result = await finished(stage, jobId);
    const seconds = (Date.now() - started) / 1000;
    worker.kill('SIGKILL');
    print(`\n${name}: ${chats.length} conversations, ${contacts.length} contacts, synced in ${seconds.toFixed(1)} s`);
    for (const [kind, count] of Object.entries(stage.crm.calls())) print(`${String(count).padStart(7)}  ${kind}`);
    isGood = report({
      ...callBreaches(stage),
      ...(await noteBreaches(stage)),
      ...(await contactBreaches(stage, contacts)),
      ...(await digestBreaches(ground)),
      'notes counted otherwise than there are': Math.abs(result.notesCreated - stage.crm.notes().length),
      'errors reported': result.errors,
    });
    print(`${stage.crm.notes().length} notes, ${stage.crm.contacts().length - contacts.length} contacts created`);
    await stage.stop();
  });
  return isGood;
}

function callBreaches({ crm }: Stage) {
  const calls = crm.calls();
  const writes = (calls['notes.batchCreate'] ?? 0) + (calls['notes.batchUpdate'] ?? 0) + (calls['notes.create'] ?? 0);
  const asked = crm.requests().map(({ kind, path, body }) => `${kind} ${path} ${body}`);
  return {
    'searches too many': Math.max(0, (calls['contacts.search'] ?? 0) - SEARCHES),
    'note writes too many': Math.max(0, writes - Math.ceil(crm.notes().length / 100 + 1)),
    'calls made twice': asked.length - new Set(asked).size,
  };
}

async function finished({ ground: { db } }: Stage, jobId: string): Promise<{ notesCreated: number; errors: number }> {
  for (;;) {
    const job = await db('sync_jobs').where({ id: jobId }).first();
    if (job.finished_at) return { notesCreated: job.notes_created, errors: job.errors.length };
    await sleep(100);
    if ((await countOf(db, `select count(*) from sync_jobs where created_at < now() - interval '10 minutes'`)) > 0) {
      throw new Error('the sync does not end');
    }
  }
}
