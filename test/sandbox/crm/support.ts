import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrmSandbox, type CrmSandboxOptions, startCrmSandbox } from '../../../sandbox/crm/server.ts';

export const APP = { clientId: 'an-app', clientSecret: 'its-secret' };
export const BACK = 'http://127.0.0.1:3000/api/crm/callback';
export const SCOPES = [
  'oauth',
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.schemas.contacts.read',
  'crm.schemas.contacts.write',
];

/** Answers are looked into, not believed: a missing field is undefined, as in JavaScript. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what is there
type LooseJson = any;
export type Reply = { status: number; body: LooseJson; headers: Headers };
/** Calls with an access token. A path from `/contacts` on is one of the newest objects. */
export type Api = (method: string, path: string, body?: unknown) => Promise<Reply>;

const open: (() => Promise<void> | void)[] = [];

/** Searches see changes at once, unless told otherwise. */
export async function openCrm(options: Partial<CrmSandboxOptions> = {}): Promise<CrmSandbox> {
  const crm = await startCrmSandbox({ port: 0, stateDir: freshFolder(), searchDelayMs: 0, ...APP, ...options });
  open.push(() => crm.stop());
  return crm;
}

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forenoon-crm-'));
  open.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Call it in `afterEach`. What was stopped by the test itself may be stopped again. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await Promise.resolve(close()).catch(() => undefined);
}

export type Consent = { scopes?: string[]; account?: string; decision?: string; redirectUri?: string };

/** Where the consent page leads after its button. */
export async function decide(crm: CrmSandbox, { scopes = SCOPES, account, decision, redirectUri }: Consent = {}) {
  const fields = {
    client_id: APP.clientId,
    redirect_uri: redirectUri ?? BACK,
    scope: scopes.join(' '),
    state: 'a state',
    account: account ?? crm.portals()[0]?.id ?? '',
    decision: decision ?? 'allow',
  };
  const body = new URLSearchParams(fields);
  const { headers } = await fetch(`${crm.url}/oauth/authorize`, { method: 'POST', body, redirect: 'manual' });
  return new URL(headers.get('location') ?? '');
}

export async function askForToken(crm: CrmSandbox, form: Record<string, string>, path = ''): Promise<Reply> {
  const body = new URLSearchParams({ client_id: APP.clientId, client_secret: APP.clientSecret, ...form });
  const response = await fetch(`${crm.url}/oauth/2026-03/token${path}`, { method: 'POST', body });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export async function signIn(crm: CrmSandbox, consent: Consent = {}): Promise<{ access: string; refresh: string }> {
  const code = (await decide(crm, consent)).searchParams.get('code') ?? '';
  const { body } = await askForToken(crm, { grant_type: 'authorization_code', code, redirect_uri: BACK });
  return { access: body.access_token, refresh: body.refresh_token };
}

export function apiWith(crm: CrmSandbox, token: string): Api {
  return async (method, path, body) => {
    const url =
      crm.url + (path.startsWith('/crm') || path.startsWith('/account') ? path : `/crm/objects/2026-09${path}`);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers };
  };
}

export async function openApi(crm: CrmSandbox, consent: Consent = {}): Promise<Api> {
  return apiWith(crm, (await signIn(crm, consent)).access);
}
