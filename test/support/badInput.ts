import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { z } from 'zod';
import type { Db } from '../../src/lib/db.ts';
import { storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { type Form, formsOf } from './forms.ts';
import { wordsOf } from './pages.ts';
import { type Agent, connectCrm, connectMessenger, signIn } from './people.ts';
import { startService } from './service.ts';
import { dialog, message, owner, person, world } from './worlds.ts';

export const PHONE = owner.phone ?? '';

const operation = z.looseObject({
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z
    .array(z.object({ in: z.enum(['query', 'path']), name: z.string(), required: z.boolean().optional() }))
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.looseObject({ example: z.looseObject({}) })) }).optional(),
});
const description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

export type Method = 'get' | 'post' | 'patch';
export type Endpoint = z.output<typeof operation> & {
  method: Method;
  path: string;
  described: string;
  type: string;
  example: Record<string, unknown>;
};

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

type Nora = Awaited<ReturnType<typeof startForNora>>;

/** @returns every id of Nora's that is in an address */
export async function storeForNora({ service: { db }, nora, accountId, dialogId }: Nora): Promise<string[]> {
  const { id: userId } = await db('users').where({ email: 'nora@example.com' }).first('id');
  const item = storedItem('Send the offer');
  const structured = { actionItems: [item], urgency: 'high' as const };
  const { digestId } = await storeDigest(db, { userId, accountId }, { dialogId, structured });
  await nora.get('/today').expect(200);
  const { id: sessionId } = await db('user_sessions').where({ user_id: userId }).first('id');
  const { id: promiseId } = await db('promises').where({ user_id: userId }).first('id');
  return [accountId, dialogId, digestId, sessionId, promiseId, item.id, userId];
}

/** @param known values of their own for fields of the examples */
export function endpointsOf(described: unknown, known: Record<string, unknown>): Endpoint[] {
  return Object.entries(description.parse(described).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, told]) => {
      const [type = '', media] = Object.entries(told.requestBody?.content ?? {})[0] ?? [];
      const fields = Object.entries(media?.example ?? {}).map(([name, value]) => [name, known[name] ?? value]);
      const asked = { method: method as Method, path: path.replace('{id}', randomUUID()), described: path };
      const parameters = told.parameters.filter(one => one.in === 'query');
      return { ...told, ...asked, parameters, type, example: Object.fromEntries(fields) };
    }),
  );
}

/** The forms of these pages, each once. */
export async function formsAt(agent: Agent, addresses: string[]): Promise<Form[]> {
  const found = new Map<string, Form>();
  for (const address of addresses) {
    const { text, type } = await agent.get(address);
    if (type !== 'text/html') continue;
    for (const form of formsOf(text)) found.set(`${form.action} ${Object.keys(form.fields)}`, form);
  }
  return [...found.values()].filter(({ action }) => !action.startsWith('/api'));
}

/** Expects an error in words with a reference, without any of the input. */
export function expectRefusal({ status, body, text, headers }: Response, told: string, as?: number): void {
  expect(status, told).to.be.within(as ?? 400, as ?? 499);
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
const OF_THE_SERVICE = ['crm_throttles', 'worker_heartbeats', 'rate_limits', 'browser_sessions', 'today_visits'];

/** The rows of each table, and which jobs are queued, apart from scheduled ones. */
export async function fingerprint(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  // The time a device was last used changes with any request.
  const parts = tables
    .filter(({ name }) => !OF_THE_SERVICE.includes(name))
    .map(({ name }) => `select '${name}' as name, (to_jsonb(t) - 'last_used_at')::text as row from ${name} t`);
  const { rows } = await db.raw<{ rows: { name: string; print: string }[] }>(
    `select name, string_agg(row, E'\\n' order by row) as print
     from (${parts.join(' union all ')} union all select 'jobs', id::text from pgboss.job
       where left(name, 8) <> '__pgboss' and name not in (select name from pgboss.schedule)) as everything group by name`,
  );
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}
