import { webcrypto } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { User } from './schema.ts';

const claims = z.compile(z.object({ sub: z.uuid(), sid: z.uuid(), iat: z.number(), exp: z.number() }));

export type SessionClaims = { userId: string; sessionId: string; issuedAt: Date; expiresAt: Date };

type Issue = { user: User; sessionId: string; issuedAt: Date; expiresAt: Date };

/** The JWT in the session cookie: HS256 over sub, email, name, sid, iat, exp. */
export async function signSessionToken(secret: string, issue: Issue): Promise<string> {
  return new SignJWT({ email: issue.user.email, name: issue.user.name, sid: issue.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(issue.user.id)
    .setIssuedAt(issue.issuedAt)
    .setExpirationTime(issue.expiresAt)
    .sign(await keyOf(secret));
}

/** Undefined for anything but a token of ours that is still valid at `now`. */
export async function readSessionToken(secret: string, token: string, now: Date): Promise<SessionClaims | undefined> {
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
