import { randomUUID } from 'node:crypto';
import { type Clock, secondsAfter } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Forbidden, NotFound } from '../../../lib/errors.ts';
import { isUuid } from '../../../lib/uuid.ts';
import * as repo from './repo.ts';
import { isAdmitted } from './rules.ts';
import type { SignedInUser, User } from './schema.ts';
import { readSessionToken, type SessionClaims, signSessionToken } from './signSessionToken.ts';

export { deleteAllDevices, deleteExpiredSessionsOfAllUsers, findEmail, listDevices, setName } from './repo.ts';

/** A session lasts this long from its last use. */
export const SESSION_DAYS = 30;
const SESSION_SECONDS = SESSION_DAYS * 24 * 3600;
/** A token older than this is replaced at its next use. */
const RENEW_AFTER_SECONDS = 24 * 3600;

type Deps = { db: Db; clock: Clock; sessionSecret: string; ownerEmail?: string | undefined };

/** Tells the operator about a new user. */
export type AnnounceSignUp = (about: { userId: string }) => void;

export type SignInDeps = Deps & { announceSignUp: AnnounceSignUp };
export type SignedInNow = { user: User; token: string; expiresAt: Date };

/**
 * Signs in the owner of an address that is already proven. Creates the user the first time. In a one-person
 * installation, throws Forbidden `NOT_ADMITTED` for any address other than the owner's; there, the only account follows
 * the owner to a new address.
 */
export async function signIn(deps: SignInDeps, input: { email: string; userAgent: string }): Promise<SignedInNow> {
  if (!isAdmitted(deps, input.email)) throw new Forbidden('Only the owner can sign in here.', 'NOT_ADMITTED');
  const issuedAt = deps.clock.now();
  const expiresAt = secondsAfter(deps.clock, SESSION_SECONDS);
  const sessionId = randomUUID();
  const { user, created } = await deps.db.transaction(async trx => {
    if (deps.ownerEmail !== undefined) await repo.moveOnlyUserTo(trx, deps.ownerEmail);
    const found = await repo.findOrCreateUser(trx, input.email);
    const userAgent = input.userAgent.slice(0, 300);
    await repo.insertSession(trx, { id: sessionId, userId: found.user.id, userAgent, createdAt: issuedAt, expiresAt });
    return found;
  });
  if (created) deps.announceSignUp({ userId: user.id });
  const token = await signSessionToken(deps.sessionSecret, { user, sessionId, issuedAt, expiresAt });
  return { user, token, expiresAt };
}

/** Who a session token belongs to: it must be ours, in date, its session not ended, and its user admitted. */
export async function authenticate(deps: Deps, token: string): Promise<SignedInUser | undefined> {
  const now = deps.clock.now();
  const claims = await readSessionToken(deps.sessionSecret, token, now);
  if (!claims) return undefined;
  const session = await repo.findSession(deps.db, { id: claims.sessionId, userId: claims.userId, now });
  if (!session || !isAdmitted(deps, session.user.email)) return undefined;
  const { user, expiresAt, lastSeenAt } = session;
  const [renewed] = await Promise.all([
    renewal(deps, user, claims),
    noteSeen(deps, { userId: user.id, id: claims.sessionId, lastSeenAt }),
  ]);
  return renewed ?? { user, sessionId: claims.sessionId, expiresAt };
}

async function renewal(deps: Deps, user: User, claims: SessionClaims): Promise<SignedInUser | undefined> {
  const issuedAt = deps.clock.now();
  if (issuedAt.getTime() - claims.issuedAt.getTime() < RENEW_AFTER_SECONDS * 1000) return undefined;
  const { sessionId } = claims;
  const expiresAt = secondsAfter(deps.clock, SESSION_SECONDS);
  await repo.extendSession(deps.db, { id: sessionId, userId: user.id, expiresAt });
  const renewedToken = await signSessionToken(deps.sessionSecret, { user, sessionId, issuedAt, expiresAt });
  return { user, sessionId, expiresAt, renewedToken };
}

/** Recorded at most this often, because not every request should cost a write. */
const SEEN_AGAIN_MS = 3_600_000;

/** For every request of a signed-in user; writes at most once an hour. */
async function noteSeen(
  deps: { db: Db; clock: Clock },
  session: { userId: string; id: string; lastSeenAt: Date },
): Promise<void> {
  const now = deps.clock.now();
  if (now.getTime() - session.lastSeenAt.getTime() < SEEN_AGAIN_MS) return;
  await repo.setLastSeen(deps.db, { userId: session.userId, id: session.id, now });
}

/** Signs one device out. Throws NotFound for an unknown one and for another user's. */
export async function endDevice(deps: { db: Db }, { userId, id }: { userId: string; id: string }): Promise<void> {
  const ended = isUuid(id) && (await repo.deleteDevice(deps.db, { userId, id }));
  if (!ended) throw new NotFound('device');
}
