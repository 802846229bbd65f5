import { z } from 'zod';
import { ClientError } from '../../errors.ts';
import type { CrmAccount, CrmClient } from '../types.ts';
import type { CallOptions } from './calls.ts';
import { HttpFailure, NoAnswer, parseJson, toClientError, UnreadableReply } from './failures.ts';

const ACCOUNT = '/account-info/2026-03/details';
/** Needs the scope that everything else depends on. */
const CONTACTS = '/crm/objects/2026-09/contacts?limit=1';
const DEADLINE_MS = 6_000;

const account = z.object({ portalId: z.union([z.number(), z.string()]).transform(String) });

/**
 * One account opened by a service key, or a private app's token:
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/account-service-keys. The
 * operator owns it: it is neither refreshed nor revoked from here.
 */
export function keyCalls(ownKey: string): Pick<CrmClient, 'ownKey' | 'refreshTokens' | 'revokeTokens'> {
  return {
    ownKey,
    async refreshTokens() {
      throw new ClientError({ service: 'crm', kind: 'auth', code: 'CRM_AUTH' });
    },
    revokeTokens: async () => undefined,
  };
}

export async function readAccount(key: string, { apiUrl }: CallOptions): Promise<CrmAccount> {
  const { data } = account.safeParse(await ask(new URL(ACCOUNT, apiUrl), key));
  if (!data) throw toClientError(new UnreadableReply());
  await ask(new URL(CONTACTS, apiUrl), key);
  return { portalId: data.portalId, name: '' };
}

async function ask(url: URL, key: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` };
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS) });
    const text = await response.text();
    if (response.ok) return parseJson(text);
    if (response.status === 403)
      throw new ClientError({ service: 'crm', kind: 'permanent', code: 'CRM_SCOPE_MISSING' });
    throw new HttpFailure(response.status, response.headers.get('retry-after'), text);
  } catch (err) {
    throw toClientError(err instanceof Error && err.name === 'TimeoutError' ? new NoAnswer() : err);
  }
}
