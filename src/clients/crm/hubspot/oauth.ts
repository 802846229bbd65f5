import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ClientError, isRedirect } from '../../errors.ts';
import type { CrmAccount, CrmClient, CrmTokens } from '../types.ts';
import type { CallOptions } from './calls.ts';
import { describeCallError, fetchJson, HttpFailure, isTemporary, readReply, toClientError } from './failures.ts';
import { anyReply } from './replies.ts';

/**
 * Contacts, the notes and tasks on them, and our own properties. Notes and tasks are covered by the scopes of contacts:
 * https://developers.hubspot.com/docs/api-reference/latest/crm/activities/notes/guide
 */
export const ACCOUNT_SCOPES = [
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.schemas.contacts.read',
  'crm.schemas.contacts.write',
] as const;

/** Scopes of an app that people sign in to; a key has no `oauth`. The app's files in `docs/hubspot` have the same. */
export const APP_SCOPES = ['oauth', ...ACCOUNT_SCOPES] as const;

/** The library still uses the first version of these addresses, which ends on 16 February 2027. */
const TOKEN = '/oauth/2026-03/token';
const MAX_RETRIES = 2;

export type OauthOptions = CallOptions & { clientId: string; clientSecret: string; appUrl: string };

type Oauth = Pick<CrmClient, 'authorizationUrl' | 'exchangeCode' | 'refreshTokens' | 'revokeTokens'>;

const tokenReply = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  hub_id: z.union([z.number(), z.string()]).transform(String).optional(),
});

const introspection = z.object({
  hub_id: z.union([z.number(), z.string()]).transform(String),
  hub_domain: z.string().catch(''),
});

export function createOauthCalls(options: OauthOptions): Oauth {
  const post = postForm(options);
  return {
    authorizationUrl({ redirectUri, state }) {
      const url = new URL('/oauth/authorize', options.appUrl);
      const query = { client_id: options.clientId, redirect_uri: redirectUri, scope: APP_SCOPES.join(' '), state };
      url.search = new URLSearchParams(query).toString();
      return url.href;
    },

    async exchangeCode({ code, redirectUri }) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const reply = await post('exchange code', TOKEN, form, tokenReply, 0).catch(throwExchangeError);
      return { ...toTokens(reply), account: await readTokenAccount(post, reply) };
    },

    async refreshTokens(refreshToken) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      try {
        return toTokens(await post('refresh tokens', TOKEN, form, tokenReply));
      } catch (err) {
        throw err instanceof HttpFailure ? toRefreshError(err) : err;
      }
    },

    async revokeTokens(refreshToken) {
      const form = { token: refreshToken, token_type_hint: 'refresh_token' };
      try {
        await post('revoke tokens', `${TOKEN}/revoke`, form, anyReply);
      } catch (err) {
        if (!(err instanceof HttpFailure) || ![400, 404].includes(err.status)) throw toClientError(err);
      }
    },
  };
}

/** Throws `CRM_REFUSED` instead of `CRM_AUTH` for a refusal: no token exists yet that the person could renew. */
function throwExchangeError(err: unknown): never {
  const isRefused = err instanceof HttpFailure && !isTemporary(err) && err.status !== 429;
  throw isRefused ? new ClientError({ service: 'crm', kind: 'permanent', code: 'CRM_REFUSED' }) : toClientError(err);
}

function toTokens(reply: z.output<typeof tokenReply>): CrmTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSeconds } = reply;
  return { accessToken, refreshToken, expiresInSeconds };
}

/** Throws if the id of the tokens' account can't be read; the account's domain is optional. */
async function readTokenAccount(post: Post, reply: z.output<typeof tokenReply>): Promise<CrmAccount> {
  const form = { token: reply.access_token, token_type_hint: 'access_token' };
  try {
    const about = await post('ask for the account', `${TOKEN}/introspect`, form, introspection);
    return { portalId: about.hub_id, name: about.hub_domain };
  } catch (err) {
    if (reply.hub_id === undefined) throw toClientError(err);
    return { portalId: reply.hub_id, name: '' };
  }
}

/** Returns `CRM_AUTH` only if the CRM rejects the grant itself, so that a wrong client secret doesn't sign everybody out. */
function toRefreshError(failure: HttpFailure): ClientError {
  const isDeadGrant = failure.words.some(word => word === 'invalid_grant' || word === 'BAD_REFRESH_TOKEN');
  if (isDeadGrant) return new ClientError({ service: 'crm', kind: 'auth', code: 'CRM_AUTH' });
  const passes = isTemporary(failure) || failure.status === 429 || isRedirect(failure.status);
  return passes ? toClientError(failure) : new ClientError({ service: 'crm', kind: 'temporary', code: 'CRM_UNAVAILABLE' });
}

type Post = <S extends z.ZodType>(
  name: string,
  path: string,
  form: Record<string, string>,
  reply: S,
  retries?: number,
) => Promise<z.output<S>>;

/** Sends secrets in the body only. Throws HttpFailure if the CRM refuses the request, otherwise ClientError. */
function postForm({ apiUrl, clientId, clientSecret, report, retryPauseMs }: OauthOptions): Post {
  return async (name, path, form, reply, retries = MAX_RETRIES) => {
    const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret });
    for (let failures = 0; ; failures += 1) {
      try {
        return readReply(reply, await fetchJson(new URL(path, apiUrl), { method: 'POST', body }));
      } catch (err) {
        const failure = toClientError(err);
        report({
          code: isTemporary(err) ? 'CRM_UNAVAILABLE' : 'CRM_REFUSED',
          message: `${name}: ${describeCallError(err)}`,
        });
        if (err instanceof HttpFailure && !isTemporary(err)) throw err;
        if (failures >= retries) throw failure;
        await sleep(retryPauseMs * 3 ** failures);
      }
    }
  };
}

const ACCOUNT = '/account-info/2026-03/details';
/** Read to check that the key has the scope `crm.objects.contacts.read`. */
const CONTACTS = '/crm/objects/2026-09/contacts?limit=1';

const account = z.object({ portalId: z.union([z.number(), z.string()]).transform(String) });

/**
 * One account opened by a service key, or a private app's token:
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/account-service-keys. The
 * operator owns it: it is neither refreshed nor revoked from here.
 */
export function createKeyCalls(ownKey: string): Pick<CrmClient, 'ownKey' | 'refreshTokens' | 'revokeTokens'> {
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
    const { portalId } = readReply(account, await fetchJson(new URL(ACCOUNT, apiUrl), { headers }));
    await fetchJson(new URL(CONTACTS, apiUrl), { headers });
    return { portalId, name: '' };
  } catch (err) {
    throw toClientError(err);
  }
}
