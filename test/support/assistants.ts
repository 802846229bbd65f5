import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect } from 'chai';
import type { Agent } from './people.ts';
import type { Service } from './service.ts';
import { createToken } from './tokens.ts';

type Row = { id: string; words: string; isOverdue?: boolean; conversation: { name: string } };
type Passage = { words: string; conversation: object; promiseId?: string };
export type Structured = {
  promises: Row[];
  due: Row[];
  perhapsSettled: Row[];
  dates: Row[];
  owedToUser: Row[];
  digests: Row[];
  promise: Row;
  passages: Passage[];
  lookedAt: { digests: number; promises: number };
  notice: string;
  conversation: { id: string };
  colleagues: object[];
  facts: { words: string }[];
  sources: object[];
  leftOut: unknown;
  isCut: boolean;
  nextCursor?: string;
};
type Result = { structuredContent: Structured; content: { text: string }[]; isError?: boolean };

type AssistantOptions = { scopes?: string[]; all?: boolean; groups?: string[] };

/** Creates an assistant's token and says what it may read; all private conversations unless told otherwise. */
export async function createAssistant(
  agent: Agent,
  { scopes = ['assistant'], groups = [], all = true }: AssistantOptions = {},
): Promise<{ id: string; secret: string }> {
  const token = await createToken(agent, { name: 'Claude', scopes });
  const agreed = new URLSearchParams({ ...(all && { private: '1' }) });
  for (const group of groups) agreed.append('groups', group);
  const asked = agent.post(`/settings/apps/tokens/${token.id}/reading`).type('form').send(agreed.toString());
  await asked.expect(303).expect('Location', '/settings/apps');
  return token;
}

const open: Client[] = [];

/** The SDK's own client. Close it with {@link disconnectAll}. */
export async function connectAssistant({ url }: Pick<Service, 'url'>, secret: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
  });
  await client.connect(transport as Transport);
  open.push(client);
  return client;
}

export async function disconnectAll(): Promise<void> {
  for (const client of open.splice(0)) await client.close();
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  return (await client.callTool({ name, arguments: args })) as unknown as Result;
}

/** The result of a call that must succeed. */
export async function readTool(client: Client, name: string, args?: Record<string, unknown>): Promise<Structured> {
  const { structuredContent, content, isError } = await callTool(client, name, args);
  expect(isError, content[0]?.text).not.to.equal(true);
  return structuredContent;
}
