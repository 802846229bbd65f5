import type { NextFunction, Request, Response } from 'express';
import { NotSignedIn } from '../lib/errors.ts';
import type { SessionCookie } from './sessionCookie.ts';

export type CurrentUser = { id: string; email: string; name: string | null };

/** Who a session token belongs to, according to the users feature. */
export type SignedIn = {
  user: CurrentUser;
  sessionId: string;
  expiresAt: Date;
  /** A newer token for the same session, when the one shown is more than a day old. */
  renewedToken?: string;
};

export type Authenticate = (token: string) => Promise<SignedIn | undefined>;

const signedIn = new WeakMap<Request, SignedIn>();
const ended = new WeakSet<Request>();

/** Identifies the user of every request that has a session cookie. Clears a cookie that is no good. */
export function identify({
  authenticate,
  sessionCookie,
}: {
  authenticate: Authenticate;
  sessionCookie: SessionCookie;
}) {
  return async (req: Request, res: Response, next: NextFunction) => {
    const token = sessionCookie.read(req);
    if (!token) return next();
    const found = await authenticate(token);
    if (!found) {
      sessionCookie.clear(res);
      ended.add(req);
    } else signedIn.set(req, found);
    if (found?.renewedToken) sessionCookie.set(res, found.renewedToken, found.expiresAt);
    next();
  };
}

/** Whether the request had a session that has ended: the user was signed in a moment ago. */
export function hasEnded(req: Request): boolean {
  return ended.has(req);
}

export function requireUser(req: Request, _res: Response, next: NextFunction) {
  next(signedIn.has(req) ? undefined : new NotSignedIn());
}

/** The user who makes the request. Only behind {@link requireUser}; throws NotSignedIn elsewhere. */
export function currentUser(req: Request): CurrentUser {
  return currentSession(req).user;
}

export function currentSession(req: Request): SignedIn {
  const found = signedIn.get(req);
  if (!found) throw new NotSignedIn();
  return found;
}

export function findCurrentSession(req: Request): SignedIn | undefined {
  return signedIn.get(req);
}
