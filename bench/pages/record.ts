import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { createShortLivedSessions } from '../../src/http/shortLivedSession.ts';
import { prepareQueues } from '../../src/jobs.ts';
import type { Ground } from '../support/ground.ts';
import { type Ask, optionsOf } from './fragments.ts';

export type Query = { text: string; values: unknown[]; name?: string; transaction?: string };
/** What the service did for one request: its statements in their order, and what it sent. */
export type Recording = { ask: Ask; status: number; type: string; body: string; queries: Query[] };

type KnexQuery = { sql: string; bindings?: unknown[]; options?: { name?: string }; __knexTxId?: string };

/** Asks the service each of these once, in this process, and listens to what it asks its database. */
export async function record({ env }: Ground, cookie: string, asks: Ask[]): Promise<Recording[]> {
  const config = loadConfig({ ...env, PORT: '0' });
  const deps = await createDeps(config, 'web');
  await prepareQueues(deps.queue);
  const sessions = await createShortLivedSessions(deps);
  const server = createServer(createApp(deps, sessions));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let queries: Query[] = [];
  deps.db.on('query', ({ sql, bindings = [], options, __knexTxId: transaction }: KnexQuery) => {
    queries.push({
      text: sql,
      values: bindings,
      ...(options?.name && { name: options.name }),
      ...(transaction && { transaction }),
    });
  });
  const recordings: Recording[] = [];
  for (const ask of asks) {
    queries = [];
    const answer = await fetch(`${url}${ask.path}`, { ...optionsOf(ask, cookie), redirect: 'manual' });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${ask.name} answered ${answer.status}`);
    recordings.push({ ask, status: answer.status, type: answer.headers.get('content-type') ?? '', body, queries });
  }
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  await sessions.close();
  await deps.close();
  return recordings;
}
