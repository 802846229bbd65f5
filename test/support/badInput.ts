import { expect } from 'chai';
import type { Response } from 'supertest';
import { z } from 'zod';
import type { Db } from '../../src/lib/db.ts';
import { wordsOf } from './pages.ts';
import { connectCrm, connectMessenger, signIn } from './people.ts';
import { startService } from './service.ts';
import { dialog, message, owner, person, world } from './worlds.ts';

export const PHONE = owner.phone ?? '';

/** Nora has connected her account, in which there is one conversation, and her CRM. No worker runs. */
export async function startForNora(env: Record<string, string> = {}) {
  const said = [message(1, { from: 5001 })];
  const service = await startService({
    worlds: [world({ users: [person(5001)], dialogs: [dialog('user:5001', said)] })],
    worker: false,
    crm: true,
    payments: true,
    mail: true,
    env,
  });
  const nora = await signIn(service, 'nora@example.com');
  const accountId = await connectMessenger(service, nora, PHONE);
  await connectCrm(service, nora);
  const { body } = await nora.get('/api/messenger/dialogs').expect(200);
  return { service, nora, accountId, dialogId: z.string().parse(body.dialogs[0].id) };
}

/** The ids that the API knows of her; a code has been requested, and her settings are stored. */
export async function startForNorasRequests(env?: Record<string, string>) {
  const { service, nora, accountId, dialogId } = await startForNora(env);
  const { body } = await nora.post('/api/messenger/connect').send({ phone: PHONE }).expect(200);
  await nora.post('/api/settings').send({ minMessages: 2 }).expect(200);
  return { service, nora, known: { accountId, dialogId, authToken: z.string().parse(body.authToken) } };
}

/** Expects an error in words with a reference, without any of the input. */
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

/** Expects the same of a page: a sentence, and no internals. */
export function expectRefusalPage({ status, text, headers }: Response, told: string): void {
  expect(status, told).to.be.within(400, 499);
  expect(headers['content-type'], told).to.match(/^text\/html/);
  expect(wordsOf(text), told).to.match(/[A-Z][^.]+\w[.]/);
  expect(text, told).not.to.match(/\bselect .+ from |\bat \/|\[object|\bundefined\b/);
}

/** Tables that the service changes with every request, or with every look at Today, however it was asked for. */
const OF_THE_SERVICE = ['crm_throttles', 'worker_heartbeats', 'rate_limits', 'browser_sessions', 'today_looks'];

/**
 * How many rows each table has and what is in them, and how many jobs are queued.
 * @param about.but tables that the requests may write to
 */
export async function fingerprint(db: Db, about: { but?: readonly string[] } = {}): Promise<Record<string, string>> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const left = new Set([...OF_THE_SERVICE, ...(about.but ?? [])]);
  // The time a device was last used changes with any request.
  const parts = tables
    .filter(({ name }) => !left.has(name))
    .map(({ name }) => `select '${name}' as name, (to_jsonb(t) - 'last_used_at')::text as row from ${name} t`);
  const { rows } = await db.raw<{ rows: { name: string; print: string }[] }>(
    `select name, count(*) || ' rows ' || md5(string_agg(row, '|' order by row)) as print
     from (${parts.join(' union all ')} union all select 'jobs', id::text from pgboss.job) as everything group by name`,
  );
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}
