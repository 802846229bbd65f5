import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from 'supertest';
import type { Db } from '../../src/lib/db.ts';
import { wordsOf } from './pages.ts';

/** Of every kind but text. */
export const OF_ANOTHER_KIND: readonly unknown[] = [
  0,
  1.5,
  -1,
  true,
  false,
  [],
  ['hush'],
  {},
  { $ne: null },
  { toString: 'hush' },
];

export const NO_TEXT_OF_OURS = ['hush\u0000', '\u0000', 'hush\u0007\u001b[2J', 'hush'.repeat(3000)];

export const NO_ID_OF_OURS = [
  'hush',
  randomUUID(),
  '00000000-0000-0000-0000-000000000000',
  "' or 1=1 --",
  '../../etc/passwd',
  '\ud800',
  '🦊'.repeat(200),
  '%00',
  '__proto__',
];

/** What no endpoint with a JSON body takes, whatever it is for. */
export const NO_JSON_OF_OURS: readonly (readonly [body: string, type: string])[] = [
  ['{', 'application/json'],
  ['"hush"', 'application/json'],
  ['hush', 'application/json'],
  [`{"hush":"${'x'.repeat(110 * 1024)}"}`, 'application/json'],
  ['{"hush":1}', 'application/json; charset=hush'],
  ['{"hush":1}', 'text/plain'],
  ['<hush/>', 'application/xml'],
  ['hush=1', 'application/x-www-form-urlencoded'],
];

/** In words, with a number to ask about, and nothing of what was sent. */
export function expectRefusal({ status, body, text, headers }: Response, told: string): void {
  expect(status, told).to.be.within(400, 499);
  expect(headers['content-type'], told).to.match(/^application\/json/);
  expect(body.error, told).to.match(/^[A-Z].*[.]$/);
  expect(body.error, told).not.to.match(/expected|received|undefined|Invalid/);
  expect(body.code, told).to.match(/^[A-Z][A-Z_]+$/);
  expect(body.requestId, told).to.equal(headers['x-request-id']);
  expect(Object.keys(body), told).to.have.members(['error', 'code', 'requestId', ...(body.fields ? ['fields'] : [])]);
  for (const sentence of Object.values(body.fields ?? {})) expect(sentence, told).to.match(/^[A-Z].*[.]$/);
  expect(text, told).not.to.match(/hush|select|\bat \//);
}

/** The same of a page: a sentence, and nothing from inside. */
export function expectRefusalPage({ status, text, headers }: Response, told: string): void {
  expect(status, told).to.be.within(400, 499);
  expect(headers['content-type'], told).to.match(/^text\/html/);
  expect(wordsOf(text), told).to.match(/[A-Z][^.]+\w[.]/);
  expect(text, told).not.to.match(/\bselect .+ from |\bat \/|\[object|\bundefined\b/);
}

/** What the service keeps for itself, and moves by being asked. */
const OF_THE_SERVICE = ['crm_throttles', 'worker_heartbeats', 'rate_limits', 'browser_sessions'];

/**
 * How many rows each table has and what is in them, and how many jobs are queued.
 * @param about.but tables that the requests may write to
 */
export async function fingerprint(db: Db, about: { but?: readonly string[] } = {}): Promise<Record<string, string>> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const left = new Set([...OF_THE_SERVICE, ...(about.but ?? [])]);
  // When a device was last used is no one's doing.
  const parts = tables
    .filter(({ name }) => !left.has(name))
    .map(({ name }) => `select '${name}' as name, (to_jsonb(t) - 'last_used_at')::text as row from ${name} t`);
  const { rows } = await db.raw<{ rows: { name: string; print: string }[] }>(
    `select name, count(*) || ' rows ' || md5(string_agg(row, '|' order by row)) as print
     from (${parts.join(' union all ')} union all select 'jobs', id::text from pgboss.job) as everything group by name`,
  );
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}
