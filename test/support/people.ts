import request from 'supertest';
import { signIn as beginSession } from '../../src/features/base/users/service.ts';
import type { Service } from './service.ts';
import { PATIENCE_SECONDS, pauses } from './until.ts';
import { owner } from './worlds.ts';

/** The environment of a service in production. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  MAIL_URL: 'smtps://mail.example',
  MAIL_FROM: 'Forenoon <hello@forenoon.example>',
};

export type Agent = ReturnType<typeof request.agent>;

/** What the agent's browser sends to any process of the service. */
export function cookiesOf(agent: Agent): string {
  const { hostname, pathname } = new URL(agent.get('/connect/scan').url);
  const access = { domain: hostname, path: pathname, secure: false, script: false };
  return agent.jar.getCookies(access as never).toValueString();
}

/** What a browser sends in which one person began something, and another is signed in by now. */
export function cookiesOfBoth(began: Agent, signedIn: Agent): string {
  const isOfBrowser = (cookie: string) => cookie.startsWith('forenoon.sid');
  const kept = cookiesOf(began).split('; ').filter(isOfBrowser);
  const session = cookiesOf(signedIn)
    .split('; ')
    .filter(cookie => !isOfBrowser(cookie));
  if (kept.length !== 1 || session.length !== 1) throw new Error('one of them has no cookie to mix');
  return [...kept, ...session].join('; ');
}

/** An agent with its own cookies, signed in with this address. */
export async function signIn(service: Pick<Service, 'url'>, email: string): Promise<Agent> {
  const agent = agentOf(service);
  await agent.post('/api/auth/callback/dev-credentials').type('form').send({ email, callbackUrl: '/today' }).expect(302);
  return agent;
}

/** Nora, who is signed in and has connected her account. */
export async function connectedNora(service: Service): Promise<Agent> {
  const nora = await signIn(service, 'nora@example.com');
  await connectMessenger(service, nora, owner.phone ?? '');
  return nora;
}

/** An agent signed in to a service in production, where sign-in is by mail only: it has a session cookie. */
export async function signInInProduction(
  service: Pick<Service, 'url' | 'db' | 'clock' | 'env'>,
  email: string,
): Promise<Agent> {
  const { db, clock, env } = service;
  const deps = { db, clock, sessionSecret: env.SESSION_SECRET ?? '', announceSignUp: () => undefined };
  const { token } = await beginSession(deps, { email, userAgent: '' });
  const prefix = env.APP_URL?.startsWith('https:') ? '__Host-' : '';
  const agent = agentOf(service);
  agent.set('Cookie', `${prefix}authjs.session-token=${token}`);
  return agent;
}

/** What goes through this machine alone need not be packed and unpacked. */
function agentOf({ url }: Pick<Service, 'url'>): Agent {
  const agent = request.agent(url);
  agent.set('Accept-Encoding', 'identity');
  // The service's clock may be months behind the machine's, by which the jar would drop what was set a moment ago.
  const { jar } = agent;
  const setCookie = jar.setCookie.bind(jar) as (cookie: { expiration_date: number }, ...place: string[]) => never;
  jar.setCookie = ((cookie: { expiration_date: number }, ...place: string[]) => {
    if (cookie.expiration_date > 0) cookie.expiration_date = Number.POSITIVE_INFINITY;
    return setCookie(cookie, ...place);
  }) as never;
  return agent;
}

/** Signs in with the sandbox's code and password. Returns the account's id. */
export async function connectMessenger(service: Pick<Service, 'sandbox'>, agent: Agent, phone: string): Promise<string> {
  const { body: started } = await agent.post('/api/messenger/connect').send({ phone }).expect(200);
  const { authToken } = started;
  const { code, password } = secretsOf(service, phone);
  const { body: verified } = await agent.post('/api/messenger/verify').send({ authToken, code }).expect(200);
  if (!verified.needs2FA) return verified.accountId;
  const step = { authToken, password };
  const { body: signedIn } = await agent.post('/api/messenger/verify-2fa').send(step).expect(200);
  return signedIn.accountId;
}

/**
 * Allows the service to work with the person's CRM, as a browser would do it. @param portalId the first account without
 * it
 */
export async function connectCrm(service: Service, agent: Agent, portalId?: string): Promise<void> {
  const { headers } = await agent.get('/api/crm/connect').expect(302);
  const question = new URL(headers.location ?? '');
  const account = portalId ?? service.crm.portals()[0]?.id ?? '';
  const answer = new URLSearchParams({ ...Object.fromEntries(question.searchParams), account, decision: 'allow' });
  const decided = await fetch(new URL(question.pathname, service.crm.url), {
    method: 'POST',
    body: answer,
    redirect: 'manual',
  });
  const back = new URL(decided.headers.get('location') ?? '');
  await agent.get(`${back.pathname}${back.search}`).expect(302);
}

/** The newest code sent to this phone, and the second factor. */
export function secretsOf(service: Pick<Service, 'sandbox'>, phone: string): { code: string; password: string | null } {
  const account = service.sandbox.accounts().find(candidate => candidate.phone === phone);
  const [newest] = account?.codes ?? [];
  if (!account || !newest) throw new Error(`no code was sent to ${phone}`);
  return { code: newest.code, password: account.password };
}

export type SyncStatus = {
  state: string;
  progress: number;
  result: { dialogsProcessed: number; digestsCreated: number; notesCreated: number; errors: { code: string }[] };
};

/** Starts a sync and waits for its end. */
export async function syncNow(agent: Agent): Promise<SyncStatus> {
  const { body } = await agent.post('/api/sync/trigger').expect(200);
  return finished(agent, body.jobId);
}

export async function finished(agent: Agent, jobId: string): Promise<SyncStatus> {
  const end = performance.now() + PATIENCE_SECONDS * 1000;
  const pause = pauses(50);
  for (;;) {
    const { body } = await agent.get('/api/sync/status').query({ jobId }).expect(200);
    if (body.state === 'completed' || body.state === 'failed') return body;
    const failures = JSON.stringify(body.result.errors);
    if (performance.now() > end) throw new Error(`the sync is still ${body.state} at ${body.progress} %: ${failures}`);
    await pause();
  }
}
