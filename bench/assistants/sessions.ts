import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/*
 * The assistants: sessions at once, each with the SDK's own client, and the next one as soon as one is over, from a
 * message that says so until the next one. Then says what was done.
 *
 * In reality they run on other machines, so this process yields to all others.
 */

export type Begin = { url: string; secrets: string[]; thinkMs: number };
export type Told = {
  sessions: number;
  seconds: number;
  calls: { name: string; milliseconds: number }[];
  failures: string[];
};

setPriority(constants.priority.PRIORITY_LOW);
let stopped = true;
let running: Promise<Told> | undefined;

process.on('message', async (message: Begin | 'end') => {
  if (message !== 'end') {
    stopped = false;
    running = runAll(message);
    return;
  }
  stopped = true;
  process.send?.(await running);
});

async function runAll({ url, secrets, thinkMs }: Begin): Promise<Told> {
  const told: Told = { sessions: 0, seconds: 0, calls: [], failures: [] };
  const began = performance.now();
  const one = async (secret: string, at: number) => {
    // Nobody begins at the same moment as the others.
    await sleep((thinkMs * at) / secrets.length);
    while (!stopped) {
      await readSession({ url, secret, thinkMs }, told).catch(err => told.failures.push(String(err)));
      told.sessions += 1;
    }
  };
  await Promise.all(secrets.map(one));
  return { ...told, seconds: (performance.now() - began) / 1000 };
}

type Session = { url: string; secret: string; thinkMs: number };

/** A day, a question, a brief, the list of promises, and one completed. */
async function readSession({ url, secret, thinkMs }: Session, told: Told): Promise<void> {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
  });
  const timed = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await call();
    told.calls.push({ name, milliseconds: performance.now() - began });
    await sleep(stopped ? 0 : thinkMs);
    return result;
  };
  const use = (name: string, args = {}) =>
    timed(name, async () => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
      return structuredContent as { promises: { id: string; conversation: { id: string } }[] };
    });
  await timed('initialize', () => client.connect(transport as Transport));
  await timed('tools/list', () => client.listTools());
  await use('today');
  await use('ask', { question: 'What do I owe about the offer?' });
  const { promises } = await use('list_promises', { limit: 50 });
  const any = promises[Math.floor(Math.random() * promises.length)];
  if (!any) throw new Error('there is no promise to complete');
  await use('brief', { conversationId: any.conversation.id });
  await use('complete_promise', { promiseId: any.id });
  await client.close();
}
