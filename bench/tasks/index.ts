import { parseArgs } from 'node:util';
import { setStage } from '../crm/stage.ts';
import { countOf, report } from '../crm/verdict.ts';
import { generateWorld } from '../match/generatedWorld.ts';
import { print, withGround } from '../support/ground.ts';
import { calmCalls } from './calmCalls.ts';
import { decideAtRandom } from './decideAtRandom.ts';
import { fillPromises } from './fillPromises.ts';
import { startWorker } from './killedWorker.ts';
import { taskBreaches } from './taskBreaches.ts';

/*
 * Promises as tasks in the CRM. First without disturbance: how many calls of each kind it takes. Then decisions here and
 * there, while the worker is killed again and again, 5 % of the CRM's answers are failures and 5 % are lost. After one quiet
 * sync each promise has one task, and both sides say the same. Ends with 1 on a breach.
 *
 *   node bench/tasks/index.ts --kills 100
 *   node bench/tasks/index.ts --kills 0       the calls alone
 */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    conversations: { type: 'string', default: '60' },
    each: { type: 'string', default: '5' },
  },
});
const KILLS_A_ROUND = 5;

await withGround(async ground => {
  const { chats } = generateWorld(1);
  const stage = await setStage(ground, {
    chats: chats.slice(0, Number(values.conversations)),
    contacts: [],
    messagesEach: 2,
  });
  const { db } = ground;
  const worker = startWorker(stage);
  const sync = async (kills = 0) => {
    await stage.startSync();
    return worker.untilDone(kills);
  };
  await sync();
  const promises = await fillPromises(stage, Number(values.each));
  print(`${promises.length} promises of ${await countOf(db, 'select count(*) from dialogs')} conversations`);
  let isGood = await calmCalls(stage, promises, sync);

  const wanted = Number(values.kills);
  const expected = new Map(promises.map(id => [id, 'open']));
  stage.crm.resetCalls();
  stage.crm.faults.always({ share: 0.05, status: 500 });
  stage.crm.faults.always({ share: 0.05, losesAnswer: true });
  stage.crm.faults.delay(30);
  const started = Date.now();
  let kills = 0;
  let decided = 0;
  while (kills < wanted) {
    decided += await decideAtRandom(stage, expected);
    kills += await sync(Math.min(KILLS_A_ROUND, wanted - kills));
    print(`${kills} kills, ${decided} decisions, ${stage.crm.tasks().length} tasks, ${seconds(started)} s`);
  }
  stage.crm.faults.clear();
  await sync();
  worker.stop();
  if (wanted > 0) {
    for (const [kind, count] of Object.entries(stage.crm.calls())) print(`${String(count).padStart(7)}  ${kind}`);
    isGood = report(await taskBreaches(stage, expected)) && isGood;
  }
  await stage.stop();
  process.exitCode = isGood ? 0 : 1;
});

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1000);
}
