import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { WordField } from '../faults.ts';
import type { Grant } from '../records.ts';
import { Refusal } from '../refusals.ts';
import type { CrmState, Portal } from '../state.ts';

const CODE_LIFE_MS = 10 * 60_000;
const ACCESS_LIFE_SECONDS = 1800;
/** How many access tokens of a grant are kept. */
const KEPT_TOKENS = 20;

export type App = { clientId: string; clientSecret: string };
type Permission = { clientId: string; redirectUri: string; portalId: string; scopes: string[] };
type TokenPair = {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  token_type: 'bearer';
  hub_id: number;
  scopes: string[];
};

/** Authorization codes, and the tokens they are exchanged for. Codes don't survive a restart. */
export type Tokens = {
  /** Issues the code that the browser takes back to the app. It works once, for ten minutes. */
  issueCode(permission: Permission): string;
  /** Throws a Refusal in the vendor's shape. */
  exchange(form: URLSearchParams): TokenPair;
  refresh(form: URLSearchParams): TokenPair;
  introspect(form: URLSearchParams): Record<string, unknown>;
  revoke(form: URLSearchParams): void;
  /** Finds whose access token it is. Throws the vendor's 401. */
  authenticate(authorization: string | undefined): { portal: Portal; scopes: string[]; isPersonal: boolean };
  expireAccessTokens(): void;
  revokeGrants(field?: WordField): void;
};

export function createTokens(state: CrmState, app: App): Tokens {
  const codes = new Map<string, Permission & { expiresAt: number }>();
  let wordField: WordField | undefined;

  function withNewAccess(grant: Grant): TokenPair {
    const token = randomBytes(24).toString('base64url');
    const expiresAt = state.now() + ACCESS_LIFE_SECONDS * 1000;
    const accessTokens = [...grant.accessTokens.slice(1 - KEPT_TOKENS), { token, expiresAt }];
    state.saveGrant({ ...grant, accessTokens });
    return {
      access_token: token,
      refresh_token: grant.refreshToken,
      expires_in: ACCESS_LIFE_SECONDS,
      token_type: 'bearer',
      hub_id: Number(grant.portalId),
      scopes: grant.scopes,
    };
  }

  function livingGrant(refreshToken: string): Grant {
    const grant = state.grants.get(refreshToken);
    if (!grant || grant.isRevoked) throw badRefreshToken(wordField);
    return grant;
  }

  function byAccessToken(token: string) {
    for (const grant of state.grants.values()) {
      const access = grant.accessTokens.find(each => each.token === token);
      if (access) return { grant, expiresAt: access.expiresAt };
    }
    return undefined;
  }

  return {
    issueCode(permission) {
      const code = randomUUID();
      codes.set(code, { ...permission, expiresAt: state.now() + CODE_LIFE_MS });
      return code;
    },
    exchange(form) {
      requireApp(app, form);
      const code = form.get('code') ?? '';
      const permission = codes.get(code);
      if (!permission || permission.expiresAt < state.now()) {
        throw badGrant('BAD_AUTH_CODE', 'missing or unknown auth code');
      }
      if (permission.redirectUri !== form.get('redirect_uri')) {
        throw badGrant('BAD_REDIRECT_URI', 'missing or unknown redirect URI');
      }
      codes.delete(code);
      const { clientId, portalId, scopes } = permission;
      const refreshToken = randomUUID();
      return withNewAccess({ refreshToken, clientId, portalId, scopes, isRevoked: false, accessTokens: [] });
    },
    refresh(form) {
      requireApp(app, form);
      return withNewAccess(livingGrant(form.get('refresh_token') ?? ''));
    },
    introspect(form) {
      requireApp(app, form);
      const token = form.get('token') ?? '';
      const known = byAccessToken(token);
      const grant = known?.grant ?? state.grants.get(token);
      if (!grant || grant.isRevoked || (known && known.expiresAt < state.now())) return { active: false };
      return describeGrant(state, grant, known?.expiresAt);
    },
    revoke(form) {
      requireApp(app, form);
      const token = form.get('token') ?? '';
      const grant = byAccessToken(token)?.grant ?? livingGrant(token);
      state.saveGrant({ ...grant, isRevoked: true });
    },
    authenticate(authorization) {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
      if (!token) throw notAuthenticated('INVALID_AUTHENTICATION', 'Authentication credentials not found.');
      const key = state.keys.get(token);
      const opened = key && state.portals.get(key.portalId);
      if (opened && !key.isRevoked) return { portal: opened, scopes: key.scopes, isPersonal: false };
      const known = byAccessToken(token);
      const portal = known && state.portals.get(known.grant.portalId);
      if (!portal || known.grant.isRevoked || known.expiresAt < state.now()) {
        throw notAuthenticated('EXPIRED_AUTHENTICATION', 'The OAuth token used to make this call expired.');
      }
      return { portal, scopes: known.grant.scopes, isPersonal: true };
    },
    expireAccessTokens() {
      for (const grant of state.grants.values()) {
        const accessTokens = grant.accessTokens.map(({ token }) => ({ token, expiresAt: 0 }));
        state.saveGrant({ ...grant, accessTokens });
      }
    },
    revokeGrants(field) {
      wordField = field;
      for (const grant of state.grants.values()) state.saveGrant({ ...grant, isRevoked: true });
    },
  };
}

function requireApp(app: App, form: URLSearchParams): void {
  if (form.get('client_id') !== app.clientId) throw badClient('BAD_CLIENT_ID', 'missing or unknown client id');
  if (!isSame(form.get('client_secret') ?? '', app.clientSecret)) {
    throw badClient('BAD_CLIENT_SECRET', 'missing or invalid client secret');
  }
}

function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function describeGrant(state: CrmState, grant: Grant, expiresAt: number | undefined): Record<string, unknown> {
  const domain = state.portals.get(grant.portalId)?.name ?? '';
  return {
    active: true,
    token_type: 'bearer',
    token_use: expiresAt === undefined ? 'refresh_token' : 'access_token',
    client_id: grant.clientId,
    app_id: 1,
    hub_id: Number(grant.portalId),
    hub_domain: domain,
    user: `admin@${domain}`,
    user_id: 1,
    scopes: grant.scopes,
    ...(expiresAt !== undefined && { expires_in: Math.round((expiresAt - state.now()) / 1000) }),
  };
}

function badRefreshToken(field: WordField | undefined): Refusal {
  const [word, message] = ['BAD_REFRESH_TOKEN', 'missing or unknown refresh token'];
  if (field === undefined) return badGrant(word, message);
  const elsewhere = { status: 'error', category: 'VALIDATION_ERROR', error: 'bad_request' };
  return new Refusal(400, { ...elsewhere, message, [field]: word });
}

export function badGrant(status: string, message: string): Refusal {
  return new Refusal(400, { status, message, error: 'invalid_grant', error_description: message });
}

function badClient(status: string, message: string): Refusal {
  return new Refusal(400, { status, message, error: 'invalid_client', error_description: message });
}

function notAuthenticated(category: string, message: string): Refusal {
  return new Refusal(401, { message, category });
}
