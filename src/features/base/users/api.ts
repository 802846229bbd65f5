import { type Request, type Response, Router } from 'express';
import { forgetBrowserSession } from '../../../http/browserSession.ts';
import { clearSiteData } from '../../../http/clearSiteData.ts';
import { findCurrentSession } from '../../../http/currentUser.ts';
import { parseInput } from '../../../http/input.ts';
import { ownPath } from '../../../http/ownPath.ts';
import type { SessionCookie } from '../../../http/sessionCookie.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { deleteDevice } from './repo.ts';
import { devSignInInput } from './schema.ts';
import { type AnnounceSignUp, type SignedInNow, signIn } from './service.ts';

type Deps = {
  db: Db;
  clock: Clock;
  announceSignUp: AnnounceSignUp;
  sessionSecret: string;
  sessionCookie: SessionCookie;
  devSignIn: boolean;
};

export function usersApi(deps: Deps): Router {
  const api = Router();

  api.get('/api/auth/session', (req, res) => {
    const session = findCurrentSession(req);
    res.set('Cache-Control', 'no-store');
    res.json(session ? { user: session.user, expires: session.expiresAt.toISOString() } : {});
  });

  if (deps.devSignIn) {
    api.post('/api/auth/callback/dev-credentials', async (req, res) => {
      const input = parseInput(devSignInInput, req.body);
      const signedIn = await signIn(deps, { email: input.email, userAgent: req.get('user-agent') ?? '' });
      beginSession(deps, res, signedIn);
      res.redirect(302, ownPath(input.callbackUrl, req.get('host')) ?? '/today');
    });
  }

  api.post('/api/auth/signout', async (req, res) => {
    await endSession(deps, req);
    deps.sessionCookie.clear(res);
    forgetBrowserSession(res);
    clearSiteData(res);
    res.redirect(302, '/signin');
  });

  return api;
}

export function beginSession(
  { sessionCookie }: Pick<Deps, 'sessionCookie'>,
  res: Response,
  { token, expiresAt }: SignedInNow,
) {
  sessionCookie.set(res, token, expiresAt);
  forgetBrowserSession(res);
}

/** Ends the session that this browser is about to lose: no one could use it again. */
export async function endSession(deps: Pick<Deps, 'db'>, req: Request): Promise<void> {
  const session = findCurrentSession(req);
  if (session) await deleteDevice(deps.db, { userId: session.user.id, id: session.sessionId });
}
