import { secondsAfter, type Timed } from '../../../lib/clock.ts';
import { hashToken, randomApiToken } from '../../../lib/crypto.ts';
import { type Db, isUuid, lockNamed, type UserKey } from '../../../lib/db.ts';
import { Conflict, Forbidden, NotFound, WrongToken } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import { isAdmitted } from '../../base/users/rules.ts';
import * as repo from './repo.ts';
import { addUses, MAX_TOKENS, scopeFor } from './rules.ts';
import { type Counts, type CreateForm, LIFETIMES, type Token, type TokenScope } from './schema.ts';

export { deleteAllTokens } from './repo.ts';

/** A token as a request shows it, with its owner. */
export type Bearer = { tokenId: string; name: string; scopes: readonly TokenScope[]; user: BearerUser };
type BearerUser = { id: string; email: string; name: string | null };

/** Recorded at most this often, because not every request should cost a write. */
const USED_AGAIN_MS = 60_000;

/** Throws WrongToken for one that is unknown, revoked or expired, or whose owner may not sign in any more. */
export async function authenticateToken(deps: Timed & { ownerEmail?: string | undefined }, token: string) {
  const now = deps.clock.now();
  const found = await repo.admitBearerOfAllUsers(deps.db, { tokenHash: hashToken(token), now });
  if (!found || !isAdmitted(deps, found.email)) throw new WrongToken();
  const { id, userId, name, scopes, email, ownerName, lastUsedAt } = found;
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= USED_AGAIN_MS) {
    await repo.setLastUsed(deps.db, { userId, id, now });
  }
  return { tokenId: id, name, scopes, user: { id: userId, email, name: ownerName } };
}

/**
 * Lets a token in where one of its scopes opens the address. Throws Forbidden `TOKEN_NOT_ALLOWED` where no token is let
 * in, `TOKEN_SCOPE` where this one lacks the scope, WrongToken.
 */
export async function admitToken(
  deps: Parameters<typeof authenticateToken>[0] & { uses: Uses },
  { token, ...route }: { token: string; method: string; path: string },
): Promise<Bearer> {
  const bearer = await authenticateToken(deps, token);
  const scope = scopeFor(route);
  if (!scope) throw new Forbidden('A token doesn’t open this address.', 'TOKEN_NOT_ALLOWED');
  requireScope(deps, bearer, scope);
  // Assistants read only what was opened to them, but the response to a change would show any promise.
  if (bearer.scopes.includes('assistant')) requireScope(deps, bearer, 'read');
  return bearer;
}

/** Throws Forbidden `TOKEN_SCOPE`, which is counted. */
export function requireScope({ uses }: { uses: Uses }, { scopes, tokenId, user }: Bearer, scope: TokenScope): void {
  if (scopes.includes(scope)) return;
  uses.count({ userId: user.id, tokenId, kind: 'refused' });
  throw new Forbidden(`This takes a token with the scope “${scope}”.`, 'TOKEN_SCOPE');
}

/** Counts a request that was answered without an error. */
export function countUse({ uses }: { uses: Uses }, { tokenId, user }: Bearer, { method }: { method: string }): void {
  uses.count({ userId: user.id, tokenId, kind: method === 'GET' || method === 'HEAD' ? 'reads' : 'changes' });
}

/** `secret` is shown once: only its hash is stored. */
export type CreatedToken = { token: Token; secret: string };

/** Creates a token; undefined if the same form was sent before. Throws Conflict `TOO_MANY_TOKENS`. */
export async function createToken({ db, clock }: Timed, { userId, id, name, scopes, lifetime }: UserKey & CreateForm) {
  const secret = randomApiToken();
  const days = LIFETIMES[lifetime];
  const expiresAt = days === null ? null : secondsAfter(clock, days * 86_400);
  const token = { id, userId, name, scopes, createdAt: clock.now(), expiresAt };
  const isNew = await db.transaction(async trx => {
    await lockNamed(trx, 'tokens', userId);
    const isInserted = await repo.insertToken(trx, { ...token, tokenHash: hashToken(secret) });
    if (isInserted && (await repo.countTokens(trx, { userId })) > MAX_TOKENS) {
      throw new Conflict('TOO_MANY_TOKENS', `You have ${MAX_TOKENS} tokens. Revoke one first.`);
    }
    return isInserted;
  });
  const unused = { lastUsedAt: null, uses: [], lastTool: null, lastToolAt: null };
  return isNew ? { token: { ...token, ...unused }, secret } : undefined;
}

/** Throws NotFound for an unknown one and for another user's. @param lock as {@link repo.findToken} has it */
export async function getToken(db: Db, owned: UserKey & { id: string }, lock?: 'forKeyShare'): Promise<Token> {
  const found = isUuid(owned.id) ? await repo.findToken(db, owned, lock) : undefined;
  if (!found) throw new NotFound('token');
  return found;
}

/** Revokes at once. Throws NotFound for an unknown token or another user's. */
export async function revokeToken({ db }: { db: Db }, { userId, id }: UserKey & { id: string }): Promise<void> {
  const isRevoked = isUuid(id) && (await repo.deleteToken(db, { userId, id }));
  if (!isRevoked) throw new NotFound('token');
}

/** One request. `tool`: the tool that an assistant called. */
type Use = { userId: string; tokenId: string; kind: keyof Counts; tool?: string };

export type Uses = {
  count: (use: Use) => void;
  /** Stores this process's counts. Never throws. */
  store: () => Promise<void>;
};

/** A use costs no write of its own: those of some minutes are stored together. A process that dies forgets as many. */
const STORED_AFTER_MS = 180_000;

type PendingUses = { userId: string; counts: Counts; tool?: { name: string; at: Date } };

/** Counts how often each token is used, in the memory of this process. */
export function createUses({ db, clock, log }: Timed & { log: Log }): Uses {
  let pending = new Map<string, PendingUses>();
  let timer: NodeJS.Timeout | undefined;

  const uses: Uses = {
    count({ userId, tokenId, kind, tool }) {
      const entry = pending.get(tokenId) ?? { userId, counts: { reads: 0, changes: 0, refused: 0 } };
      entry.counts[kind] += 1;
      if (tool) entry.tool = { name: tool, at: clock.now() };
      pending.set(tokenId, entry);
      timer ??= setTimeout(() => void uses.store(), STORED_AFTER_MS).unref();
    },
    async store() {
      clearTimeout(timer);
      timer = undefined;
      const counted = pending;
      pending = new Map();
      const now = clock.now();
      for (const [id, { userId, counts, tool }] of counted) {
        try {
          await db.transaction(async trx => {
            const token = await repo.findToken(trx, { userId, id }, 'forUpdate');
            if (token) await repo.storeTokenUses(trx, { userId, id, uses: addUses(token.uses, counts, now), tool });
          });
        } catch (err) {
          log.warn({ err }, 'uses of a token not stored');
        }
      }
    },
  };
  return uses;
}
