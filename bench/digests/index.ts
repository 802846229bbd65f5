import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import getPort from 'get-port';
import type { Db } from '../../src/lib/db.ts';
import { type Ground, median, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';

/*
 * `GET /api/digests` of the service against a bare Express + pg route with the same cookie check and the same SQL, and
 * the service with 1,000 against the service with 100,000 digests of one user. They take short turns, so that a machine
 * that gets slower slows them all, and the faster half of each one's turns counts: the ones in which others least
 * disturbed it.
 */

const WARM_UP = 6;
const ROUNDS = 60;
const SECONDS = 0.5;
const CONNECTIONS = 10;

type Target = { url: string; cookie: string };
type Round = { service: number; bare: number; serviceOfMany: number };

await withGround(few =>
  withGround(async many => {
    const stops: (() => void)[] = [];
    const started = async (script: string, { env }: Ground) => {
      const port = await getPort();
      const child = spawnScript([script], { ...env, PORT: String(port) });
      stops.push(() => child.kill('SIGKILL'));
      await untilAnswering(`http://127.0.0.1:${port}`);
      return `http://127.0.0.1:${port}`;
    };
    try {
      const service = await signedIn(await started('src/web.ts', few));
      const bare = { ...service, url: await started('bench/digests/bare.ts', few) };
      const serviceOfMany = await signedIn(await started('src/web.ts', many));
      await fillDigests(few.db, 1000);
      await fillDigests(many.db, 100_000);
      await sameAnswer(service, bare);
      report(await inTurns({ service, bare, serviceOfMany }));
    } finally {
      for (const stop of stops) stop();
    }
  }),
);

/** A client signed in to the service with this address. */
async function signedIn(url: string): Promise<Target> {
  const answer = await fetch(`${url}/api/auth/callback/dev-credentials`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'bench@example.com' }),
    redirect: 'manual',
  });
  return { url, cookie: String(answer.headers.get('set-cookie')).split(';')[0] ?? '' };
}

/** Adds digests of the usual size, 250 a day, going back from the newest day there is. */
async function fillDigests(db: Db, count: number): Promise<void> {
  await db.raw(`
    insert into messenger_accounts (user_id, messenger_user_id, status, connected_at)
    select id, '1', 'inactive', now() from users on conflict do nothing`);
  await db.raw(`
    insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name)
    select user_id, id, n::text, 'user', 'user', n::text, 'Person ' || n
    from messenger_accounts, generate_series(1, 250) n on conflict do nothing`);
  const structured = {
    topics: ['Renewal', 'Data agreement', 'Deadline'],
    actionItems: [1, 2].map(n => ({
      id: `item-${n}`,
      text: 'Send the signed agreement as PDF',
      owner: 'user',
      ownerName: null,
      dueDate: '2026-11-23',
      dueText: 'by Monday',
      sourceMessageIds: ['17', '18'],
    })),
    sentiment: 'positive',
    urgency: 'high',
    meetings: [],
    introductions: [],
    dealSignals: ['renewal'],
    links: [],
    language: 'en',
  };
  const [{ days }] = (await db.raw('select count(distinct digest_date)::int as days from digests')).rows;
  await db.raw(
    `
    insert into digests (user_id, dialog_id, digest_date, status, message_count, after_message_id, last_message_id,
                         last_message_at, summary, structured, engine)
    select d.user_id, d.id, current_date - day, 'COMPLETE', 18, 0, 18, now() - day * interval '1 day',
      repeat('Procurement moved the deadline up to Monday. ', 5), ?::jsonb, 'built-in'
    from dialogs d, generate_series(?::int, ?::int) day`,
    [JSON.stringify(structured), days, days + count / 250 - 1],
  );
  await db.raw('vacuum analyze digests');
}

async function sameAnswer(a: Target, b: Target): Promise<void> {
  const [first, second] = await Promise.all([a, b].map(async target => (await ask(target)).json()));
  if (!isDeepStrictEqual(first, second)) throw new Error('the two answers differ');
}

function ask({ url, cookie }: Target): Promise<Response> {
  return fetch(`${url}/api/digests`, { headers: { cookie } });
}

/** Requests a second of each. The first rounds, in which code and caches get warm, do not count. */
async function inTurns(targets: Record<keyof Round, Target>): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const rates: Round = { service: 0, bare: 0, serviceOfMany: 0 };
    for (const name of turns(round)) rates[name] = await requestsPerSecond(targets[name]);
    if (round >= WARM_UP) rounds.push(rates);
  }
  return rounds;
}

/** The order alternates, so that neither is always first. */
function turns(round: number): (keyof Round)[] {
  const order: (keyof Round)[] = ['service', 'bare', 'serviceOfMany'];
  return round % 2 === 0 ? order : order.reverse();
}

async function requestsPerSecond({ url, cookie }: Target): Promise<number> {
  const turn = { connections: CONNECTIONS, duration: SECONDS, sampleInt: SECONDS * 100 };
  const result = await autocannon({ ...turn, url: `${url}/api/digests`, headers: { cookie } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.total / result.duration;
}

function report(rounds: Round[]): void {
  const of = (name: keyof Round) => undisturbed(rounds.map(round => round[name]));
  const [service, bare, serviceOfMany] = [of('service'), of('bare'), of('serviceOfMany')];
  print(`1,000 digests    service ${service.toFixed(0)}/s, bare ${bare.toFixed(0)}/s`);
  print(`ratio service / bare: ${(service / bare).toFixed(2)} (at least 0.8)`);
  print(`100,000 digests  service ${serviceOfMany.toFixed(0)}/s`);
  print(`ratio of times 100,000 / 1,000: ${(service / serviceOfMany).toFixed(2)} (at most 1.2)`);
}

/** The median of the faster half. */
function undisturbed(rates: number[]): number {
  return median(rates.toSorted((a, b) => b - a).slice(0, Math.ceil(rates.length / 2)));
}
