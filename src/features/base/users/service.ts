import { randomUUID, webcrypto } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { type Clock, secondsAfter } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Forbidden, NotFound } from '../../../lib/errors.ts';
import { isUuid } from '../../../lib/uuid.ts';
import * as repo from './repo.ts';
import type { SignedInUser, User } from './schema.ts';

export { deleteAllDevices, deleteExpiredSessionsOfAllUsers, setName } from './repo.ts';

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

const claims = z.compile(z.object({ sub: z.uuid(), sid: z.uuid(), iat: z.number(), exp: z.number() }));

type SessionClaims = { userId: string; sessionId: string; issuedAt: Date; expiresAt: Date };

type Issue = { user: User; sessionId: string; issuedAt: Date; expiresAt: Date };

/** The JWT in the session cookie: HS256 over sub, email, name, sid, iat, exp. */
async function signSessionToken(secret: string, issue: Issue): Promise<string> {
  return new SignJWT({ email: issue.user.email, name: issue.user.name, sid: issue.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(issue.user.id)
    .setIssuedAt(issue.issuedAt)
    .setExpirationTime(issue.expiresAt)
    .sign(await keyOf(secret));
}

/** Undefined for anything but a token of ours that is still valid at `now`. */
async function readSessionToken(secret: string, token: string, now: Date): Promise<SessionClaims | undefined> {
  try {
    const key = await keyOf(secret);
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now });
    const { sub, sid, iat, exp } = claims.parse(payload);
    return { userId: sub, sessionId: sid, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) };
  } catch (err) {
    if (err instanceof errors.JOSEError || err instanceof z.ZodError) return undefined;
    throw err;
  }
}

const keys = new Map<string, Promise<webcrypto.CryptoKey>>();

/** Imported once for each secret: every request checks a token, and importing takes as long as checking. */
function keyOf(secret: string): Promise<webcrypto.CryptoKey> {
  const known = keys.get(secret) ?? importKey(secret);
  keys.set(secret, known);
  return known;
}

function importKey(secret: string): Promise<webcrypto.CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign', 'verify']);
}

/** Whether an address may have an account: with an owner, no other may. Both are in lower case. */
export function isAdmitted({ ownerEmail }: { ownerEmail?: string | undefined }, email: string): boolean {
  return ownerEmail === undefined || email === ownerEmail;
}
