import { z } from 'zod';
import { ClientError } from '../../errors.ts';
import type { CrmAccount, CrmClient } from '../types.ts';
import type { CallOptions } from './calls.ts';
import { ask, HttpFailure, readReply, toClientError } from './failures.ts';

const ACCOUNT = '/account-info/2026-03/details';
/** Needs the scope that everything else depends on. */
const CONTACTS = '/crm/objects/2026-09/contacts?limit=1';

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
  const headers = { authorization: `Bearer ${key}` };
  try {
    const { portalId } = readReply(account, await ask(new URL(ACCOUNT, apiUrl), { headers }));
    await ask(new URL(CONTACTS, apiUrl), { headers });
    return { portalId, name: '' };
  } catch (err) {
    const isForbidden = err instanceof HttpFailure && err.status === 403;
    throw isForbidden
      ? new ClientError({ service: 'crm', kind: 'permanent', code: 'CRM_SCOPE_MISSING' })
      : toClientError(err);
  }
}
