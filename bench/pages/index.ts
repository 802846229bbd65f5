import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import getPort from 'get-port';
import type { Db } from '../../src/lib/db.ts';
import { farDatabase } from '../support/farDatabase.ts';
import { type Ground, median, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';
import { fillMornings, signedInReader } from '../support/morning.ts';
import { type AskedPage, boundsOf } from './bounds.ts';
import { measureBulkUndo } from './bulkUndo.ts';
import { type Ask, asksOf, BULK, optionsOf } from './fragments.ts';
import { record } from './record.ts';
import { FAR_MILLISECONDS, measureWaits } from './waits.ts';

/*
 * Today and every fragment of the service against a bare Express route that sends one handwritten statement and returns
 * the same bytes, and with 3,000 digests and some 500 open promises in the table against 100,000 and 10,000; beside the
 * time, how many statements it sends, and how often in a row it waits for the database. They take short turns, so that
 * a machine that gets slower slows them all, and the faster half of each one's turns counts: the ones that others
 * disturbed least. Before that, everything is requested for a while, until the engine has compiled what runs often, as
 * in a service that has been up for a day.
 * Ends with 1 when a bound is broken.
 */

/** Both have more days than a page of a conversation shows, so that both show the same amount. */
const [FEW, MANY] = [3_000, 100_000];
const PER_DAY = 60;
const WARM_UP_SECONDS = 3;
const SECONDS = 0.4;
const CONNECTIONS = 4;
/** The items of older days are done. */
const OPEN_DAYS = 14;
/** For the user with few digests and the one with many, beside those of the last days. Both fill one page per group. */
const [SOME_OPEN, MANY_OPEN] = [500, 10_000];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '12' }, only: { type: 'string' } } });

type Target = { url: string; cookie: string; asks: Ask[] };
type Times = { service: number; bare: number; serviceOfMany: number };

let isWithinBounds = true;

await withGround(few =>
  withGround(async many => {
    const stops: (() => void)[] = [];
    const started = async (script: string, { env }: Ground, own = {}) => {
      const port = await getPort();
      const child = spawnScript([script], { ...env, PORT: String(port), ...own });
      stops.push(() => child.kill('SIGKILL'));
      await untilAnswering(`http://127.0.0.1:${port}`);
      return `http://127.0.0.1:${port}`;
    };
    try {
      const service = await filled(await started('src/web.ts', few), few, FEW);
      const serviceOfMany = await filled(await started('src/web.ts', many), many, MANY);
      const file = join(few.folder, 'recordings.json');
      writeFileSync(file, JSON.stringify(await record(few, service.cookie, service.asks)));
      const bare = { ...service, url: await started('bench/pages/bare.ts', few, { RECORDINGS: file }) };
      const targets = { service, bare, serviceOfMany };
      const far = await farDatabase(few.url, { milliseconds: FAR_MILLISECONDS });
      stops.push(far.stop);
      const distant = { ...service, url: await started('src/web.ts', few, { DATABASE_URL: far.url }) };
      const waits = await measureWaits(far, distant);
      const isMeasured = ({ name }: Ask) => !values.only || name.includes(values.only);
      for (const [n, ask] of service.asks.entries()) {
        if (!isMeasured(ask)) continue;
        for (const target of Object.values(targets)) await millisecondsEach(target, n, WARM_UP_SECONDS);
      }
      for (const [n, ask] of service.asks.entries()) {
        const { name, method } = ask;
        if (!isMeasured(ask)) continue;
        const asked = waits.get(name);
        if (!asked) throw new Error(`nobody listened to ${name}`);
        report(name, await inTurns(n, targets), { ...asked, isPage: method === 'GET' });
      }
      await measureBulks([
        { name: 'bulk and its undo', ground: few, target: service },
        { name: 'the same among 10,000', ground: many, target: serviceOfMany },
      ]);
    } finally {
      for (const stop of stops) stop();
    }
  }),
);
process.exitCode = isWithinBounds ? 0 : 1;

async function measureBulks(of: { name: string; ground: Ground; target: Target }[]): Promise<void> {
  for (const { name, ground, target } of of) {
    const ids = await ground.db('promises').where({ state: 'open', direction: 'mine' }).limit(BULK).pluck('id');
    isWithinBounds = (await measureBulkUndo(name, { ...target, ids })) && isWithinBounds;
  }
}

/** A user with that many digests, some of whose matches wait for a decision. */
async function filled(url: string, { db }: Ground, digests: number): Promise<Target> {
  const { cookie, userId } = await signedInReader(url, db, 'bench@example.com');
  await fillMornings(db, userId, { perDay: PER_DAY, days: Math.ceil(digests / PER_DAY), script: 'latin' });
  await finishOld(db);
  await promiseMore(db, userId, digests === MANY ? MANY_OPEN : SOME_OPEN);
  await guessSome(db, userId);
  await db.raw('vacuum analyze');
  return { url, cookie, asks: await asksOf(db, userId) };
}

async function finishOld(db: Db): Promise<void> {
  await db.raw(
    `update promises set state = 'done', changed_by = 'person', is_user_decided = true
     where last_said_on < current_date - ?::int`,
    [OPEN_DAYS],
  );
}

/** Adds promises that are overdue, due today, tomorrow and later, and without a day: equally many of each. */
async function promiseMore(db: Db, userId: string, count: number): Promise<void> {
  await db.raw(
    `insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, words, due_date, changed_at)
     select :userId, (array(select id from dialogs where user_id = :userId order by id))[1 + n % ${PER_DAY}], 'more-' || n,
       current_date - n % 60, current_date - n % 60, case when n % 3 = 0 then 'theirs' else 'mine' end, 'Promise ' || n,
       current_date + (array[-1 - n % 30, 0, 1, 20 + n % 30])[n % 5], now()
     from generate_series(1, ${count}) n`,
    { userId },
  );
}

async function guessSome(db: Db, userId: string): Promise<void> {
  await db('crm_connections').insert({
    user_id: userId,
    status: 'active',
    portal_id: '1',
    credentials: 'none',
    connected_at: new Date(),
  });
  await db.raw(
    `update dialogs set match_status = 'AUTO_NAME', match_confidence = 0.8, crm_contact_id = '9', crm_contact_name = peer_name
     where user_id = ? and match_status = 'UNMATCHED' and peer_key::int % 3 = 1`,
    [userId],
  );
}

async function inTurns(n: number, targets: Record<keyof Times, Target>): Promise<Times> {
  const rounds: Times[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const times: Times = { service: 0, bare: 0, serviceOfMany: 0 };
    for (const name of turns(round)) times[name] = await millisecondsEach(targets[name], n);
    rounds.push(times);
  }
  const of = (name: keyof Times) => undisturbed(rounds.map(round => round[name]));
  return { service: of('service'), bare: of('bare'), serviceOfMany: of('serviceOfMany') };
}

/** The order alternates, so that neither is always first. */
function turns(round: number): (keyof Times)[] {
  const order: (keyof Times)[] = ['service', 'bare', 'serviceOfMany'];
  return round % 2 === 0 ? order : order.reverse();
}

async function millisecondsEach({ url, cookie, asks }: Target, n: number, seconds = SECONDS): Promise<number> {
  const ask = asks[n];
  if (!ask) throw new Error(`there is no fragment ${n}`);
  const turn = { connections: CONNECTIONS, duration: seconds, sampleInt: seconds * 100 };
  const result = await autocannon({ ...turn, url: `${url}${ask.path}`, ...optionsOf(ask, cookie) });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${ask.name}: ${result.non2xx + result.errors} failed`);
  return (1000 * result.duration) / result.requests.total;
}

/** The median of the faster half. */
function undisturbed(times: number[]): number {
  return median(times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length / 2)));
}

function report(name: string, { service, bare, serviceOfMany }: Times, asked: AskedPage): void {
  const most = boundsOf(asked);
  const figures = [
    { words: `${asked.inARow} in a row`, figure: asked.inARow, most: most.inARow },
    { words: `${asked.statements} statements`, figure: asked.statements, most: most.statements },
    { words: `${service.toFixed(1)} ms`, figure: service, most: most.milliseconds },
    { words: `${(service / bare).toFixed(2)} of the bare ${bare.toFixed(1)} ms`, figure: service / bare, most: most.toBare },
    {
      words: `with 100,000 digests ${(serviceOfMany / service).toFixed(2)} of it`,
      figure: serviceOfMany / service,
      most: most.toMany,
    },
  ];
  const broken = figures.filter(({ figure, most }) => figure > most);
  isWithinBounds &&= broken.length === 0;
  const told = figures.map(({ words, most }) => `${words} (at most ${Number(most.toFixed(2))})`).join(', ');
  print(`${broken.length === 0 ? 'holds ' : 'BROKEN'} ${name.padEnd(26)} ${told}`);
}
