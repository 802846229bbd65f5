import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import getPort from 'get-port';
import type { Db } from '../../src/lib/db.ts';
import { median, print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';

/*
 * `GET /api/digests` of the service against a bare Express + pg route with the same cookie check and the same SQL, in
 * turns; then the service with 1,000 and with 100,000 digests of one user.
 */

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 10;

await withGround(async ({ db, env }) => {
  const [appPort, barePort] = [await getPort(), await getPort()];
  const app = spawnScript(['src/web.ts'], { ...env, PORT: String(appPort) });
  const bare = spawnScript(['bench/digests/bare.ts'], { ...env, PORT: String(barePort) });
  try {
    const [appUrl, bareUrl] = [`http://127.0.0.1:${appPort}`, `http://127.0.0.1:${barePort}`];
    await Promise.all([untilAnswering(`${appUrl}/healthz`), untilAnswering(bareUrl)]);
    const cookie = await signIn(appUrl);
    await fillDigests(db, 1000);
    await sameAnswer(appUrl, bareUrl, cookie);

    const pairs = await inTurns([appUrl, bareUrl], cookie);
    print(`1,000 digests    service ${rate(pairs, 0)}/s, bare ${rate(pairs, 1)}/s`);
    print(`ratio service / bare: ${median(pairs.map(([a = 0, b = 1]) => a / b)).toFixed(2)} (at least 0.8)`);

    const small = (await inTurns([appUrl], cookie)).map(([value = 0]) => value);
    await fillDigests(db, 99_000);
    const large = (await inTurns([appUrl], cookie)).map(([value = 0]) => value);
    print(`100,000 digests  service ${median(large).toFixed(0)}/s, with 1,000 ${median(small).toFixed(0)}/s`);
    print(`ratio of times 100,000 / 1,000: ${(median(small) / median(large)).toFixed(2)} (at most 1.2)`);
  } finally {
    app.kill('SIGKILL');
    bare.kill('SIGKILL');
  }
});

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/callback/dev-credentials`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'bench@example.com' }),
    redirect: 'manual',
  });
  return String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
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

async function sameAnswer(a: string, b: string, cookie: string): Promise<void> {
  const [first, second] = await Promise.all(
    [a, b].map(async url => (await fetch(`${url}/api/digests`, { headers: { cookie } })).json()),
  );
  if (!isDeepStrictEqual(first, second)) throw new Error('the two answers differ');
}

/** Requests a second of each address, in turns, so that a machine that gets slower slows both. */
async function inTurns(urls: string[], cookie: string): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const rates: number[] = [];
    for (const url of urls) rates.push(await requestsPerSecond(`${url}/api/digests`, cookie));
    if (round > 0) rounds.push(rates);
  }
  return rounds;
}

async function requestsPerSecond(url: string, cookie: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers: { cookie } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.average;
}

function rate(rounds: number[][], index: number): string {
  return median(rounds.map(round => round[index] ?? 0)).toFixed(0);
}
