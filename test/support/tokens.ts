import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { post } from './pages.ts';
import type { Agent } from './people.ts';
import type { Service } from './service.ts';

type TokenOptions = { name?: string; scopes: string[]; lifetime?: string };

/** Creates a token on the page, as a browser without JavaScript does. */
export async function createToken(
  agent: Agent,
  { name = 'Report', scopes, lifetime = '90' }: TokenOptions,
): Promise<{ id: string; secret: string }> {
  const id = randomUUID();
  const form = new URLSearchParams([
    ...[['id', id] as [string, string], ['name', name] as [string, string], ['lifetime', lifetime] as [string, string]],
    ...scopes.map((scope): [string, string] => ['scopes', scope]),
  ]);
  const { text } = await agent.post('/settings/apps/tokens').type('form').send(form.toString()).expect(200);
  const secret = /<code id="new-token">(fnn_[\w-]{43})<\/code>/.exec(text)?.[1];
  if (!secret) throw new Error('the page shows no token');
  return { id, secret };
}

export const revoke = (agent: Agent, id: string) => post(agent, `/settings/apps/tokens/${id}/revoke`);

/** Requests with a token and nothing else. */
export function bearer({ url }: Pick<Service, 'url'>, secret: string) {
  return request.agent(url).set('Authorization', `Bearer ${secret}`);
}
