import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Db } from '../../src/lib/db.ts';
import { lineTo } from '../../test/support/databaseLine.ts';
import { generateWorld } from '../match/generatedWorld.ts';
import { print, withGround } from '../support/ground.ts';
import { addPromises, decideAtRandom } from './promises.ts';
import { setStage } from './stage.ts';
import { contactBreaches, digestBreaches, noteBreaches, report, taskBreaches } from './verdict.ts';
import { isDone, killBackends, makeRetriesDue, momentOfWork, startWorkers } from './workers.ts';

/*
 * Two workers sync several users day after day while one of them is killed at random moments of the work, people decide
 * about promises here and at their tasks in the CRM, 5 % of the CRM's answers are failures and 5 % are lost. After one quiet
 * sync every message is in one digest, every digest in one note, every promise as it was decided, and its task says the
 * same. With --cuts the database is unreachable for two seconds that often, with --terminations all its connections end:
 * no worker dies of either. Ends with 1 on a breach. Payments are in payments.ts beside it.
 *
 *   node bench/kills/index.ts --kills 100
 *   node bench/kills/index.ts --kills 0 --terminations 50 --cuts 20
 */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    cuts: { type: 'string', default: '0' },
    terminations: { type: 'string', default: '0' },
    users: { type: 'string', default: '3' },
    conversations: { type: 'string', default: '60' },
  },
});
const MESSAGES_A_DAY = 4;
const PROMISES_EACH = 3;
const DISTURBANCES_A_DAY = 8;
const CUT_MS = 2000;

await withGround(async ground => {
  const { db } = ground;
  const [users, conversations] = [Number(values.users), Number(values.conversations)];
  const { chats, contacts } = generateWorld(1);
  const own = Array.from({ length: users }, (_, n) => chats.slice(n * conversations, (n + 1) * conversations));
  const stage = await setStage(ground, { chats: own, contacts, messagesEach: MESSAGES_A_DAY });
  const line = await lineTo(ground.url);
  const workers = startWorkers({ ...ground.env, DATABASE_URL: line.url });
  const disturbances = [
    ...Array.from({ length: Number(values.kills) }, () => () => workers.killOne(db)),
    ...Array.from({ length: Number(values.cuts) }, () => () => cut(line)),
    // The bench's own connections end as well.
    ...Array.from({ length: Number(values.terminations) }, () => () => killBackends(ground.url).then(() => sleep(200))),
  ].toSorted(() => Math.random() - 0.5);
  const total = disturbances.length;
  const started = Date.now();
  let days = 0;
  let decided = 0;
  let expected = new Map<string, string>();

  const liveADay = async (isQuiet: boolean) => {
    if (days > 0) stage.write(MESSAGES_A_DAY);
    if (days > 0) await moveDigestsBack(db);
    days++;
    // Once a day, while both sides agree: two decisions about one promise between two syncs have no right outcome.
    if (!isQuiet) decided += await decideAtRandom(stage, expected);
    await stage.startSyncs();
    for (let today = 0; !(await isDone(db)); await sleep(50)) {
      await makeRetriesDue(db);
      if (isQuiet || today === DISTURBANCES_A_DAY || !(await momentOfWork(db))) continue;
      await disturbances.pop()?.();
      today++;
    }
    const seconds = Math.round((Date.now() - started) / 1000);
    print(`day ${days}: ${total - disturbances.length} of ${total}, ${decided} decisions, ${seconds} s`);
  };

  await liveADay(true);
  expected = await addPromises(stage, PROMISES_EACH);
  // Each gets its task before anything is decided: one that was done before has none.
  await liveADay(true);
  stage.crm.faults.always({ share: 0.05, status: 500 });
  stage.crm.faults.always({ share: 0.05, losesAnswer: true });
  stage.crm.faults.delay(30);
  while (disturbances.length > 0) await liveADay(false);
  stage.crm.faults.clear();
  await liveADay(true);
  workers.stop();

  const digests = users * conversations * days;
  print(`${digests} digests, ${stage.crm.notes().length} notes, ${stage.crm.tasks().length} tasks`);
  const isGood = report({
    'workers died': workers.deaths(),
    ...(await digestBreaches(db, { digests, messages: digests * MESSAGES_A_DAY })),
    ...(await noteBreaches(stage)),
    ...(await contactBreaches(stage, contacts)),
    ...(await taskBreaches(stage, expected)),
  });
  await stage.stop();
  line.close();
  process.exitCode = isGood ? 0 : 1;
});

async function cut(line: { cut(): void; restore(): Promise<void> }): Promise<void> {
  line.cut();
  setTimeout(() => void line.restore().catch(() => undefined), CUT_MS);
}

/** A process always has today's date, so the digests are dated back instead. */
async function moveDigestsBack(db: Db): Promise<void> {
  await db.raw('update digests set digest_date = digest_date - 1000');
  await db.raw('update digests set digest_date = digest_date + 999');
}
