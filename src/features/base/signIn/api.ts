import { type RequestHandler, Router } from 'express';
import { findCurrentSession } from '../../../http/currentUser.ts';
import { parseInput } from '../../../http/input.ts';
import { ownPath } from '../../../http/ownPath.ts';
import { networkOf } from '../../../http/rateLimit.ts';
import type { SessionCookie } from '../../../http/sessionCookie.ts';
import { beginSession, endSession } from '../users/api.ts';
import type { SignInDeps } from '../users/service.ts';
import { mailCallbackInput, mailSignInInput } from './schema.ts';
import { type AskDeps, askForSignInMail, signInByMail } from './service.ts';

type Deps = SignInDeps & AskDeps & { sessionCookie: SessionCookie; mailSignIn: boolean; linkSignIn: boolean };

/** Signing in by a link; asking for one by mail only where a mail server is configured. */
export function signInApi(deps: Deps): Router {
  const api = Router();
  const askByMail: RequestHandler = async (req, res) => {
    const input = parseInput(mailSignInInput, req.body);
    const { email } = input;
    const callbackUrl = ownPath(input.callbackUrl, req.get('host')) ?? '/today';
    await askForSignInMail(deps, { email, callbackUrl, network: networkOf(req) });
    res.redirect(303, `/signin/sent?${new URLSearchParams({ email, callbackUrl })}`);
  };

  const signInByLink: RequestHandler = async (req, res) => {
    const { token, switchFrom } = parseInput(mailCallbackInput, req.body);
    const current = findCurrentSession(req)?.user;
    const userAgent = req.get('user-agent') ?? '';
    const signedIn = await signInByMail(deps, { token, switchFrom, current, userAgent });
    await endSession(deps, req);
    beginSession(deps, res, signedIn);
    res.redirect(303, signedIn.callbackUrl);
  };

  if (deps.mailSignIn) api.post('/api/auth/signin/email', askByMail);
  if (deps.linkSignIn) api.post('/api/auth/callback/email', signInByLink);
  return api;
}
