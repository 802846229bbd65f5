import type { ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import getPort from 'get-port';
import { paymentVariables } from '../../test/features/billing/events.ts';
import { startProvider } from '../../test/features/billing/provider.ts';
import { lineTo } from '../../test/support/databaseLine.ts';
import { type Ground, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';
import { deliverAll } from './deliver.ts';
import { deliverForged } from './forge.ts';
import { foreignLifeOf, lifeOf, seeded, shuffledWithRepeats } from './lives.ts';
import { addUsers, listForeign, standingOf } from './standing.ts';

/*
 * Payers buy, renew, change, fail and cancel. Their events are delivered in order to one half of the users; to the
 * other half the same ones shuffled over everybody, some up to five times, side by side, among those of another
 * product on the same account, while the database is cut and the web process killed and started again now and then. At
 * the end each user of the second half must have the plan, the period and the subscriptions of their twin in the first,
 * and of the other product nothing may be stored or would be canceled. Meanwhile some come with a signature that is
 * wrong, missing, old or of someone else: those must change nothing.
 *
 *   node bench/kills/payments.ts --deliveries 10000 --cuts 6 --kills 20
 */

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    cuts: { type: 'string', default: '6' },
    kills: { type: 'string', default: '20' },
    sideBySide: { type: 'string', default: '16' },
  },
});
const DELIVERIES = Number(values.deliveries);
const CUTS = Number(values.cuts);
const KILLS = Number(values.kills);
const SIDE_BY_SIDE = Number(values.sideBySide);
const STEPS = 20;
const FOREIGN_STEPS = 9;
const CUT_MS = 1500;
const START = 1_780_000_000;
/** A quarter of the events comes two to five times. */
const DELIVERIES_PER_EVENT = 1.6;

await withGround(async ground => {
  const provider = await startProvider();
  const line = await lineTo(ground.url);
  const payers = Math.ceil(DELIVERIES / DELIVERIES_PER_EVENT / (STEPS + FOREIGN_STEPS));
  const inOrder = await livesOf(ground, 'a', payers);
  const mixed = await livesOf(ground, 'b', payers);
  const foreign = mixed.users.flatMap((_, seed) =>
    foreignLifeOf({ email: `b${seed}@example.com`, key: `b${seed}`, seed }, START),
  );
  const deliveries = shuffledWithRepeats([...mixed.lives.flat(), ...foreign], seeded(1));
  const env = { ...ground.env, ...paymentVariables(provider.url), LOG_LEVEL: 'silent' };
  const [orderedPort, mixedPort] = [await getPort(), await getPort()];
  const orderedWeb = keepRunning({ ...env, PORT: String(orderedPort) });
  const mixedWeb = keepRunning({ ...env, PORT: String(mixedPort), DATABASE_URL: line.url });
  const [orderedUrl, mixedUrl] = [`http://127.0.0.1:${orderedPort}`, `http://127.0.0.1:${mixedPort}`];
  await Promise.all([untilAnswering(orderedUrl), untilAnswering(mixedUrl)]);

  await Promise.all(groupsOf(inOrder.lives, SIDE_BY_SIDE).map(lives => deliverOneByOne(orderedUrl, lives)));
  print(`${inOrder.lives.flat().length} events of ${payers} payers delivered in order`);

  const started = Date.now();
  let cuts = 0;
  let kills = 0;
  const forging = deliverForged(
    mixedUrl,
    mixed.lives.flat().filter((_, n) => n % 10 === 0),
  );
  const outcome = await deliverAll(mixedUrl, deliveries, {
    sideBySide: SIDE_BY_SIDE,
    onDelivered(done) {
      const isDue = (times: number, all: number) => times < all && done >= (deliveries.length * (times + 1)) / (all + 1);
      if (isDue(kills, KILLS)) {
        kills += 1;
        mixedWeb.kill();
      }
      if (!isDue(cuts, CUTS)) return;
      cuts += 1;
      line.cut();
      setTimeout(() => void line.restore().catch(() => undefined), CUT_MS);
    },
  });
  const elapsed = (Date.now() - started) / 1000;
  print(
    `${deliveries.length} deliveries of ${mixed.lives.flat().length} events and ${foreign.length} of another product, shuffled, ${SIDE_BY_SIDE} side by side: ` +
      `${elapsed.toFixed(1)} s, ${Math.round(deliveries.length / elapsed)} a second`,
  );
  print(
    `${cuts} cuts of the database, ${kills} kills of the web process; ${outcome.failed} tries answered 500, ` +
      `${outcome.unanswered} nothing, ${outcome.unexpected} anything else`,
  );
  const forged = await forging;
  for (const [kind, statuses] of forged) {
    print(`signature ${kind}: ${statuses.filter(status => status === 400).length} of ${statuses.length} refused`);
  }
  const known = await ground.db('payment_events').count();
  const unknown = Number(known[0]?.count) - 2 * mixed.lives.flat().length;
  print(`${unknown} events stored that nobody signed`);
  const isRefused = [...forged.values()].flat().every(status => status === 400) && unknown === 0;
  const different = await countDifferent(ground, inOrder.users, mixed.users);
  print(`${different} of ${payers} payers with another plan, period or subscription than in order`);
  const asked = provider.asked.filter(request => /^DELETE .*sub_foreign_/.test(request));
  const counted = [...(await listForeign(ground.db, mixed.users)), ...asked];
  print(`${counted.length} subscriptions of the other product stored, canceled or to be canceled`);
  if (different > 0 || counted.length > 0 || outcome.unexpected > 0 || cuts !== CUTS || kills !== KILLS || !isRefused)
    process.exitCode = 1;
  for (const web of [orderedWeb, mixedWeb]) web.stop();
  line.close();
  await provider.stop();
});

/** As a platform does it: a web process that ends is started again. */
function keepRunning(env: Record<string, string>) {
  let isOver = false;
  let web: ChildProcess;
  const start = () => {
    web = spawnScript(['src/web.ts'], env);
    web.once('exit', () => isOver || start());
  };
  start();
  return {
    kill: () => web.kill('SIGKILL'),
    stop() {
      isOver = true;
      web.kill('SIGKILL');
    },
  };
}

async function livesOf({ db }: Ground, run: string, payers: number) {
  const addresses = Array.from({ length: payers }, (_, n) => `${run}${n}@example.com`);
  const users = await addUsers(db, addresses);
  const lives = users.map((userId, seed) => lifeOf({ userId, seed, key: `${run}${seed}` }, START, STEPS));
  return { users, lives };
}

async function deliverOneByOne(url: string, lives: Awaited<ReturnType<typeof livesOf>>['lives']): Promise<void> {
  for (const life of lives) await deliverAll(url, life, { sideBySide: 1 });
}

async function countDifferent({ db }: Ground, expected: string[], found: string[]): Promise<number> {
  let different = 0;
  for (const [n, userId] of found.entries()) {
    const twin = await standingOf(db, expected[n] ?? '');
    if (JSON.stringify(await standingOf(db, userId)) !== JSON.stringify(twin)) different += 1;
  }
  return different;
}

function groupsOf<T>(items: readonly T[], groups: number): T[][] {
  return Array.from({ length: groups }, (_, group) => items.filter((_, n) => n % groups === group));
}
