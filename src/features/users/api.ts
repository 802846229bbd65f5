import { type Request, type Response, Router } from 'express';
import { forgetBrowserSession } from '../../http/browserSession.ts';
import { findCurrentSession } from '../../http/currentUser.ts';
import { parseInput } from '../../http/input.ts';
import { leaveNothing } from '../../http/leaveNothing.ts';
import { ownPath } from '../../http/ownPath.ts';
import { networkOf } from '../../http/rateLimit.ts';
import type { SessionCookie } from '../../http/sessionCookie.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Cipher } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import type { Queue } from '../../lib/queue.ts';
import { devSignInInput, mailCallbackInput, mailSignInInput } from './schema.ts';
import { type AnnounceSignUp, type SignedInNow, signIn, signOut } from './service.ts';
import { signInByMail } from './signInByMail.ts';
import { askForSignInMail } from './signInMails.ts';

type Deps = {
  db: Db;
  clock: Clock;
  queue: Queue;
  cipher: Cipher;
  limitSignIn: Record<'address' | 'network', (key: string) => Promise<void>>;
  announceSignUp: AnnounceSignUp;
  sessionSecret: string;
  sessionCookie: SessionCookie;
  devSignIn: boolean;
  mailSignIn: boolean;
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

  if (deps.mailSignIn) {
    api.post('/api/auth/signin/email', async (req, res) => {
      const input = parseInput(mailSignInInput, req.body);
      const { email } = input;
      const callbackUrl = ownPath(input.callbackUrl, req.get('host')) ?? '/today';
      await askForSignInMail(deps, { email, callbackUrl, network: networkOf(req) });
      res.redirect(303, `/signin/sent?${new URLSearchParams({ email, callbackUrl })}`);
    });

    api.post('/api/auth/callback/email', async (req, res) => {
      const { token, switchFrom } = parseInput(mailCallbackInput, req.body);
      const current = findCurrentSession(req)?.user;
      const userAgent = req.get('user-agent') ?? '';
      const signedIn = await signInByMail(deps, { token, switchFrom, current, userAgent });
      await endSession(deps, req);
      beginSession(deps, res, signedIn);
      res.redirect(303, signedIn.callbackUrl);
    });
  }

  api.post('/api/auth/signout', async (req, res) => {
    await endSession(deps, req);
    deps.sessionCookie.clear(res);
    forgetBrowserSession(res);
    leaveNothing(res);
    res.redirect(302, '/signin');
  });

  return api;
}

function beginSession({ sessionCookie }: Deps, res: Response, { token, expiresAt }: SignedInNow) {
  sessionCookie.set(res, token, expiresAt);
  forgetBrowserSession(res);
}

/** Nobody could ever come back to it. */
async function endSession(deps: Deps, req: Request): Promise<void> {
  const session = findCurrentSession(req);
  if (session) await signOut(deps, { userId: session.user.id, sessionId: session.sessionId });
}
