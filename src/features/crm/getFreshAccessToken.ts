import { setTimeout as sleep } from 'node:timers/promises';
import type { CrmClient, CrmTokens } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import { type Clock, secondsAfter, type Timed } from '../../lib/clock.ts';
import { type Cipher, resealAll } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import { withLease } from '../../lib/lease.ts';
import type { Log } from '../../lib/log.ts';
import { type Alerts, notify } from '../base/alerts/service.ts';
import { findEmail } from '../base/users/repo.ts';
import * as repo from './repo.ts';
import { type SealedTokens, type StoredTokens, storedTokens } from './schema.ts';

/** Keeps tokens from expiring in the middle of a call. */
const REFRESH_AHEAD_MS = 5 * 60_000;
/** Longer than the client needs for all its tries. */
const LEASE_SECONDS = 30;
const PATIENCE_MS = 40_000;
const ASK_EVERY_MS = 150;

type Deps = Timed & { log: Log; cipher: Cipher; alerts: Alerts; crm: CrmClient; ownerEmail?: string | undefined };

/** The additional data of the cipher, with which sealed tokens open for this user only. */
const tokensContext = (userId: string): string => `crm connection ${userId}`;

export function sealTokens(deps: { cipher: Cipher; clock: Clock }, userId: string, tokens: CrmTokens) {
  const { accessToken, refreshToken } = tokens;
  return {
    credentials: deps.cipher.encrypt(JSON.stringify({ accessToken, refreshToken }), tokensContext(userId)),
    expiresAt: secondsAfter(deps.clock, tokens.expiresInSeconds),
  };
}

/** The tokens of an active connection, however old the access token is; `tokens` is undefined where their key is lost. */
export async function findOpenTokens(deps: { db: Db; cipher: Cipher }, userId: string) {
  const sealed = await repo.findTokens(deps.db, userId);
  return sealed && { tokens: openTokens(deps, userId, sealed) };
}

function openTokens(deps: { cipher: Cipher }, userId: string, { credentials }: SealedTokens): StoredTokens | undefined {
  try {
    return storedTokens.parse(JSON.parse(deps.cipher.decrypt(credentials, tokensContext(userId))));
  } catch {
    return undefined;
  }
}

/**
 * A token for this account that is valid for a while yet, refreshed ahead of its expiry by one process at a time.
 * Throws ClientError: `CRM_AUTH` when the person must sign in again or the connection now leads to another account,
 * `CRM_UNAVAILABLE` or `TIMEOUT` when the CRM gives no new token for the moment.
 * @param refused a token the CRM has just refused
 */
export async function getFreshAccessToken(deps: Deps, owned: repo.Portal, refused?: string): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const sealed = await repo.findTokens(deps.db, owned.userId);
    if (!sealed || sealed.portalId !== owned.portalId) throw signInAgain();
    const tokens = openTokens(deps, owned.userId, sealed);
    // Not stored as expired: another process may have the key.
    if (!tokens) throw signInAgain();
    const left = sealed.expiresAt.getTime() - deps.clock.now().getTime();
    const isRefused = tokens.accessToken === refused || !(await isOfThisInstallation(deps, owned, tokens));
    if (!isRefused && left > REFRESH_AHEAD_MS) return tokens.accessToken;
    const stale = { sealed, tokens, isStillValid: !isRefused && left > 0 };
    const lease = `CRM tokens ${owned.userId}`;
    const turn = await withLease(deps, lease, LEASE_SECONDS, () => refreshAccessToken(deps, owned.userId, stale));
    if (turn.isHeld && turn.result) return turn.result;
    if (performance.now() > deadline) throw new ClientError({ service: 'crm', kind: 'temporary', code: 'TIMEOUT' });
    await sleep(ASK_EVERY_MS);
  }
}

/** Stored as the refresh token if the connection uses the installation's key, which has none. */
const KEY_PLACEHOLDER = 'key of the installation';
const KEY_LIVES_SECONDS = 100 * 365 * 86_400;

/** The installation's key as it is stored, so that a removed or replaced key is noticed. */
export function keyAsTokens(key: string): CrmTokens {
  return { accessToken: key, refreshToken: KEY_PLACEHOLDER, expiresInSeconds: KEY_LIVES_SECONDS };
}

/** Whether these are tokens of a sign-in, if there is an app for it, else the configured key, used by its owner. */
async function isOfThisInstallation(deps: Deps, { userId }: repo.Portal, tokens: StoredTokens): Promise<boolean> {
  const { ownKey } = deps.crm;
  if (tokens.refreshToken !== KEY_PLACEHOLDER) return ownKey === undefined;
  return tokens.accessToken === ownKey && (await isOwner(deps, userId));
}

/** Whether this is the installation's owner, the only user whom its key serves. */
export async function isOwner({ db, ownerEmail }: { db: Db; ownerEmail?: string | undefined }, userId: string) {
  return ownerEmail !== undefined && (await findEmail(db, userId)) === ownerEmail;
}

/** Tokens to be replaced; `isStillValid`: the access token works for a while yet. */
type OldTokens = { sealed: SealedTokens; tokens: StoredTokens; isStillValid: boolean };

/** Returns the new access token; undefined if the tokens were replaced meanwhile. */
async function refreshAccessToken(deps: Deps, userId: string, { sealed, tokens, isStillValid }: OldTokens) {
  const old = { userId, credentials: sealed.credentials };
  try {
    if ((await repo.findTokens(deps.db, userId))?.credentials !== old.credentials) return undefined;
    const fresh = await deps.crm.refreshTokens(tokens.refreshToken);
    // The user disconnected or reconnected meanwhile; the caller checks again.
    const isSaved = await repo.saveRefreshed(deps.db, old, sealTokens(deps, userId, fresh));
    return isSaved ? fresh.accessToken : undefined;
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'auth') return expireConnection(deps, old);
    if (isStillValid && err instanceof ClientError) return tokens.accessToken;
    throw err;
  }
}

async function expireConnection(deps: Deps, old: { userId: string; credentials: string }): Promise<never> {
  const { userId } = old;
  if (await repo.markExpired(deps.db, old)) {
    notify(deps, { level: 'error', source: 'crm', kind: 'CRM_TOKEN_REFRESH_FAILED', about: { userId } });
  }
  throw signInAgain();
}

const signInAgain = (): ClientError => new ClientError({ service: 'crm', kind: 'auth', code: 'CRM_AUTH' });

/** Seals all tokens with the newest key, as {@link resealAll} does. */
export async function resealTokens(deps: { db: Db; cipher: Cipher }): Promise<number> {
  return resealAll(deps, { table: 'crm_connections', idColumn: 'user_id', context: tokensContext });
}
