import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { findCurrentSession } from '../../../http/currentUser.ts';
import { ownPath } from '../../../http/ownPath.ts';
import type { Renderer } from '../../../http/render.ts';
import { InvalidInput, TooManyRequests } from '../../../lib/errors.ts';
import { countOf } from '../../../lib/words.ts';

/** Where the two forms lead: one sends a mail, the other exists only on a development server. */
const FORMS = { '/api/auth/signin/email': 'mail', '/api/auth/callback/dev-credentials': 'dev' } as const;

type Deps = { render: Renderer; devSignIn: boolean; mailSignIn: boolean; ownerEmail: string | undefined };

export function usersPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/signin', (req, res) => {
    const callbackUrl = whereTo(req, req.query.callbackUrl);
    if (findCurrentSession(req)) return res.redirect(302, callbackUrl);
    show(deps, res, { callbackUrl, hasEnded: req.query.ended === '1' });
  });

  return pages;
}

/** A browser's form comes back with the error at its field and what was typed; programs get JSON as everywhere. */
export function signInErrors(deps: Deps): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    const form = Object.entries(FORMS).find(([path]) => path === req.path)?.[1];
    const refusal = form && req.accepts(['json', 'html']) === 'html' ? describe(err) : undefined;
    if (!form || !refusal) return next(err);
    const { email, callbackUrl } = req.body ?? {};
    const typed = typeof email === 'string' ? email : '';
    if (refusal.waitSeconds) res.set('Retry-After', String(refusal.waitSeconds));
    show(deps, res, { callbackUrl: whereTo(req, callbackUrl), typed, form, ...refusal });
  };
}

type Refusal = { status: number; error: string; waitSeconds?: number };

function describe(err: unknown): Refusal | undefined {
  if (err instanceof InvalidInput) return { status: 400, error: err.fields.email ?? err.message };
  if (!(err instanceof TooManyRequests)) return undefined;
  const { retryAfterSeconds: waitSeconds } = err;
  return {
    status: 429,
    error: `Too many attempts. The next link can be sent in ${waitingWords(waitSeconds)}.`,
    waitSeconds,
  };
}

function whereTo(req: Request, asked: unknown): string {
  return ownPath(typeof asked === 'string' ? asked : undefined, req.get('host')) ?? '/';
}

type Shown = { callbackUrl: string; hasEnded?: boolean; typed?: string; form?: 'mail' | 'dev' } & Partial<Refusal>;

function show({ render, ownerEmail, ...ways }: Deps, res: Response, { status = 200, error, ...about }: Shown) {
  const title = error ? 'Error: Sign in' : 'Sign in';
  const { form, typed = '', callbackUrl, hasEnded = false } = about;
  const of = (name: 'mail' | 'dev') => (form === name ? { typed, error } : { typed: '', error: undefined });
  const data = {
    ...{ callbackUrl, hasEnded, hasOwner: ownerEmail !== undefined },
    ...{ mail: ways.mailSignIn && of('mail'), dev: ways.devSignIn && of('dev') },
  };
  render.page(res, 'signIn/start/index', data, { title, status });
}

/** `1 minute`, `14 minutes`. Never less than it takes. */
export function waitingWords(seconds: number): string {
  return countOf(Math.max(1, Math.ceil(seconds / 60)), 'minute', 'minutes');
}
