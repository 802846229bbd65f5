import { expect } from 'chai';
import { type AiSandbox, startAiSandbox } from '../../../support/ai/server.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, secretsOf, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopLater } from '../../../support/service.ts';

export const MODEL = 'model-of-the-operator';

type Options = NonNullable<Parameters<typeof startService>[0]>;

/** A service whose operator configured a model, and the server that plays it. */
export async function startWithModel(options: Options): Promise<{ ai: AiSandbox; service: Service; host: string }> {
  const ai = stopLater(await startAiSandbox());
  const env = { AI_API_KEY: 'key', AI_MODEL: MODEL, AI_API_URL: ai.url, RATE_LIMIT_CONNECT: '50', ...options.env };
  return { ai, service: await startService({ ...options, env }), host: new URL(ai.url).host };
}

/** Connects an account on the page, as a browser without JavaScript does. @returns its id */
export async function connectOnPage(
  service: Service,
  agent: Agent,
  { phone, writer }: { phone: string; writer?: 'built-in' | 'model' },
): Promise<string> {
  await post(agent, '/connect', { phone, ...(writer && { writer }) }).expect(303);
  const { code } = secretsOf(service, phone);
  await post(agent, '/connect/code', { code }).expect(303);
  return (await service.db('messenger_accounts').where({ phone }).first()).id;
}

/** A new message in each of these, and a sync on a day of its own. @returns who wrote its digests, by the conversation's name */
export async function enginesOfNextDay(service: Service, agent: Agent, keys: string[]): Promise<Record<string, string>> {
  service.clock.advance(24 * 3600 * 1000);
  const begun = service.clock.now();
  for (const key of keys) {
    service.sandbox.addMessages('test', key, [{ from: WRITES, text: 'Can you send the offer?' }]);
  }
  const { result } = await syncNow(agent);
  expect(result).to.deep.include({ digestsCreated: keys.length, errors: [] });
  return enginesSince(service, begun);
}

export async function enginesSince({ db }: Service, begun: Date): Promise<Record<string, string>> {
  const rows = await db('digests')
    .join('dialogs', 'dialogs.id', 'dialog_id')
    .where('digests.updated_at', '>=', begun)
    .whereNot({ engine: '' })
    .select('peer_name', 'engine');
  return Object.fromEntries(rows.map(row => [row.peer_name, row.engine]));
}

/** Someone who writes in private chats and groups alike. */
export const WRITES = 5001;

export async function dialogIdOf({ db }: Service, peerName: string): Promise<string> {
  return (await db('dialogs').where({ peer_name: peerName }).first('id')).id;
}
