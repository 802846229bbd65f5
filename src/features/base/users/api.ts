import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express';
import { toOwnPath } from '../../../http/ownPath.ts';
import { type Counting, networkOf } from '../../../http/rateLimit.ts';
import { findCurrentSession, parseInput } from '../../../http/request.ts';
import { clearSiteData, type SessionCookie } from '../../../http/sessionCookie.ts';
import { forgetBrowserSession } from '../../../http/shortLivedSession.ts';
import type { Timed } from '../../../lib/clock.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { deleteDevice } from './repo.ts';
import { mailCallbackInput, signInInput } from './schema.ts';
import * as users from './service.ts';

type Deps = Timed & {
  announceSignUp: users.AnnounceSignUp;
  sessionSecret: string;
  sessionCookie: SessionCookie;
  devSignIn: boolean;
};

export function usersApi(api: IRouter, deps: Deps): void {
  api.get('/api/auth/session', (req, res) => {
    const session = findCurrentSession(req);
    res.set('Cache-Control', 'no-store');
    res.json(session ? { user: session.user, expires: session.expiresAt.toISOString() } : {});
  });

  if (deps.devSignIn) {
    api.post('/api/auth/callback/dev-credentials', async (req, res) => {
      const input = parseInput(signInInput, req.body);
      const signedIn = await users.signIn(deps, { email: input.email, userAgent: req.get('user-agent') ?? '' });
      beginSession(deps, res, signedIn);
      res.redirect(302, toOwnPath(input.callbackUrl, req.get('host')) ?? '/today');
    });
  }

  api.post('/api/auth/signout', async (req, res) => {
    await endSession(deps, req);
    deps.sessionCookie.clear(res);
    forgetBrowserSession(res);
    clearSiteData(res);
    res.redirect(302, '/signin');
  });
}

function beginSession(
  { sessionCookie }: Pick<Deps, 'sessionCookie'>,
  res: Response,
  { token, expiresAt }: users.SignedInNow,
) {
  sessionCookie.set(res, token, expiresAt);
  forgetBrowserSession(res);
}

/** Ends the session of the cookie that is about to be replaced. */
async function endSession(deps: Pick<Deps, 'db'>, req: Request): Promise<void> {
  const session = findCurrentSession(req);
  if (session) await deleteDevice(deps.db, { userId: session.user.id, id: session.sessionId });
}

/** Asking for a link by mail, where a mail server is configured. */
export function signInApi(api: IRouter, deps: users.SignInDeps & users.AskDeps & { mailSignIn: boolean }): void {
  if (!deps.mailSignIn) return;
  api.post('/api/auth/signin/email', async (req, res) => {
    const input = parseInput(signInInput, req.body);
    const { email } = input;
    const callbackUrl = toOwnPath(input.callbackUrl, req.get('host')) ?? '/today';
    await users.askForSignInMail(deps, { email, callbackUrl, network: networkOf(req) });
    res.redirect(303, `/signin/sent?${new URLSearchParams({ email, callbackUrl })}`);
  });
}

type LinkSignInDeps = users.SignInDeps & {
  sessionCookie: SessionCookie;
  linkSignIn: boolean;
  readBody: RequestHandler;
  limitFailures: Counting;
};

/** Signing in by a link, of which only wrong ones are counted. */
export function linkSignInApi(api: IRouter, deps: LinkSignInDeps): void {
  if (!deps.linkSignIn) return;
  const signInByLink: RequestHandler = async (req, res) => {
    const { token, switchFrom } = parseInput(mailCallbackInput, req.body);
    const current = findCurrentSession(req)?.user;
    const userAgent = req.get('user-agent') ?? '';
    const signedIn = await users.signInByMail(deps, { token, switchFrom, current, userAgent });
    await endSession(deps, req);
    beginSession(deps, res, signedIn);
    res.redirect(303, signedIn.callbackUrl);
  };

  const limitWrongLinks: ErrorRequestHandler = async (err, req, res, next) => {
    if (err instanceof InvalidInput) await deps.limitFailures(req, res);
    next(err);
  };

  api.post('/api/auth/callback/email', deps.readBody, signInByLink, limitWrongLinks);
}
