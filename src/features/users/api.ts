import { Router } from 'express';
import { forgetBrowserSession } from '../../http/browserSession.ts';
import { findCurrentSession, type SignedIn } from '../../http/currentUser.ts';
import { parseInput } from '../../http/input.ts';
import { ownPath } from '../../http/ownPath.ts';
import type { SessionCookie } from '../../http/sessionCookie.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { devSignInInput, type SessionJson } from './schema.ts';
import { type AnnounceSignUp, signIn, signOut } from './service.ts';

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
    res.json(toSessionJson(session));
  });

  if (deps.devSignIn) {
    api.post('/api/auth/callback/dev-credentials', async (req, res) => {
      const input = parseInput(devSignInInput, req.body);
      const { token, expiresAt } = await signIn(deps, { email: input.email, userAgent: req.get('user-agent') ?? '' });
      deps.sessionCookie.set(res, token, expiresAt);
      forgetBrowserSession(res);
      res.redirect(302, ownPath(input.callbackUrl, req.get('host')) ?? '/today');
    });
  }

  api.post('/api/auth/signout', async (req, res) => {
    const session = findCurrentSession(req);
    if (session) await signOut(deps, { userId: session.user.id, sessionId: session.sessionId });
    deps.sessionCookie.clear(res);
    forgetBrowserSession(res);
    res.redirect(302, '/signin');
  });

  return api;
}

function toSessionJson(session: SignedIn | undefined): SessionJson {
  return session ? { user: session.user, expires: session.expiresAt.toISOString() } : {};
}
