import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { findCurrentSession } from '../../http/currentUser.ts';
import { ownPath } from '../../http/ownPath.ts';
import type { Renderer } from '../../http/render.ts';
import { InvalidInput } from '../../lib/errors.ts';

/** Where the form of a development server leads. */
const DEV_SIGN_IN = '/api/auth/callback/dev-credentials';

type Deps = { render: Renderer; devSignIn: boolean; mailSignIn: boolean };

export function usersPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/signin', (req, res) => {
    const callbackUrl = whereTo(req, req.query.callbackUrl);
    if (findCurrentSession(req)) return res.redirect(302, callbackUrl);
    show(deps, res, { callbackUrl });
  });

  return pages;
}

/** A browser's form comes back with the error at its field and what was typed; programs get JSON as everywhere. */
export function signInErrors(deps: Deps): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    const isForm = req.path === DEV_SIGN_IN && req.accepts(['json', 'html']) === 'html';
    if (!isForm || !(err instanceof InvalidInput)) return next(err);
    const { email, callbackUrl } = req.body ?? {};
    const typed = typeof email === 'string' ? email : '';
    show(deps, res, { callbackUrl: whereTo(req, callbackUrl), typed, error: err.fields.email ?? err.message });
  };
}

function whereTo(req: Request, asked: unknown): string {
  return ownPath(typeof asked === 'string' ? asked : undefined, req.get('host')) ?? '/today';
}

function show(
  { render, devSignIn, mailSignIn }: Deps,
  res: Response,
  about: { callbackUrl: string; typed?: string; error?: string },
) {
  const { error } = about;
  const title = error ? 'Error: Sign in' : 'Sign in';
  const data = { typed: '', error: undefined, ...about, devSignIn, mailSignIn };
  render.page(res, 'users/signin', data, { title, status: error ? 400 : 200 });
}
