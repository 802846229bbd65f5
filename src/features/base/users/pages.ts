import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express';
import { toOwnPath } from '../../../http/ownPath.ts';
import type { Renderer } from '../../../http/render.ts';
import { findCurrentSession } from '../../../http/request.ts';
import type { Timed } from '../../../lib/clock.ts';
import { Conflict, InvalidInput, TooManyRequests } from '../../../lib/errors.ts';
import { isLoopback } from '../../../lib/hosts.ts';
import { formatQuantity } from '../../../lib/words.ts';
import { LINK_MINUTES, maskAddress, webmailOf } from './rules.ts';
import { emailAddress } from './schema.ts';
import { OTHER_USER, readSignInLink } from './service.ts';

/** Targets of the two forms: mail, and the development sign-in. */
const FORMS = { '/api/auth/signin/email': 'mail', '/api/auth/callback/dev-credentials': 'dev' } as const;

type Deps = { render: Renderer; devSignIn: boolean; mailSignIn: boolean; ownerEmail: string | undefined };

export function signInPage(pages: IRouter, deps: Deps): void {
  pages.get('/signin', (req, res) => {
    const callbackUrl = whereTo(req, req.query.callbackUrl);
    if (findCurrentSession(req)) return res.redirect(302, callbackUrl);
    showSignIn(deps, res, { callbackUrl, hasEnded: req.query.ended === '1' });
  });
}

/** Reads the form of a sign-in that was refused before its body was read, so that people keep what they typed. */
export function keepTyped(readBody: RequestHandler): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    if (!Object.hasOwn(FORMS, req.path)) return next(err);
    readBody(req, res, () => next(err));
  };
}

/** Browsers get the form back with the error and their input; API clients get JSON. */
export function signInErrors(deps: Deps): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    const form = Object.entries(FORMS).find(([path]) => path === req.path)?.[1];
    const refusal = form && req.accepts(['json', 'html']) === 'html' ? toRefusal(err) : undefined;
    if (!form || !refusal) return next(err);
    const { email, callbackUrl } = req.body ?? {};
    const typed = typeof email === 'string' ? email : '';
    if (refusal.waitSeconds) res.set('Retry-After', String(refusal.waitSeconds));
    showSignIn(deps, res, { callbackUrl: whereTo(req, callbackUrl), typed, form, ...refusal });
  };
}

type Refusal = { status: number; error: string; waitSeconds?: number };

function toRefusal(err: unknown): Refusal | undefined {
  if (err instanceof InvalidInput) return { status: 400, error: err.fields.email ?? err.message };
  if (!(err instanceof TooManyRequests)) return undefined;
  const { retryAfterSeconds: waitSeconds } = err;
  return {
    status: 429,
    error: `Too many attempts. The next link can be sent in ${waitingWords(waitSeconds)}.`,
    waitSeconds,
  };
}

function whereTo(req: Request, target: unknown): string {
  return toOwnPath(typeof target === 'string' ? target : undefined, req.get('host')) ?? '/';
}

type SignInView = { callbackUrl: string; hasEnded?: boolean; typed?: string; form?: 'mail' | 'dev' } & Partial<Refusal>;

function showSignIn({ render, ownerEmail, ...ways }: Deps, res: Response, { status = 200, error, ...about }: SignInView) {
  const { form, typed = '', callbackUrl, hasEnded = false } = about;
  const stateOf = (name: 'mail' | 'dev') => (form === name ? { typed, error } : { typed: '', error: undefined });
  const data = {
    callbackUrl,
    hasEnded,
    hasOwner: ownerEmail !== undefined,
    mail: ways.mailSignIn && stateOf('mail'),
    dev: ways.devSignIn && stateOf('dev'),
  };
  render.page(res, 'signIn/start/index', data, { title: 'Sign in', status, isRefused: error !== undefined });
}

/** `1 minute`, `14 minutes`. Never less than it takes. */
export function waitingWords(seconds: number): string {
  return formatQuantity(Math.max(1, Math.ceil(seconds / 60)), 'minute', 'minutes');
}

/** Target of the confirmation page's button. */
const CALLBACK = '/api/auth/callback/email';

type MailLinkDeps = Timed & {
  render: Renderer;
  appUrl: string;
  ownerEmail: string | undefined;
  /** Whether a new link can be sent by mail. Otherwise it is made in the terminal. */
  mailSignIn: boolean;
};

/** Pages after the form: "Check your inbox" and the confirmation of the link. */
export function mailSignInPages(pages: IRouter, deps: MailLinkDeps): void {
  const { render, appUrl } = deps;
  pages.get('/signin/sent', (req, res, next) => {
    if (!deps.mailSignIn) return next();
    const { data: email } = emailAddress.safeParse(req.query.email);
    const requestedUrl = typeof req.query.callbackUrl === 'string' ? req.query.callbackUrl : undefined;
    const callbackUrl = toOwnPath(requestedUrl, req.get('host')) ?? '/today';
    const data = { email, callbackUrl, minutes: LINK_MINUTES, webmail: email && webmailOf(email) };
    render.page(res, 'signIn/sent/index', data, { title: 'Check your inbox' });
  });

  // Changes nothing: programs open the links of a mail before the person does.
  pages.get('/auth/confirm', async (req, res) => {
    const { token } = req.query;
    res.set('Referrer-Policy', referrerPolicy(appUrl));
    if (typeof token !== 'string' || token === '') return showRefusal(deps, res, INCOMPLETE);
    try {
      const { email } = await readSignInLink(deps, { token });
      const isOther = (findCurrentSession(req)?.user.email ?? email) !== email;
      askForConfirmation(deps, req, res, { token, address: maskAddress(email), isOther });
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      showRefusal(deps, res, err.message);
    }
  });
}

const INCOMPLETE = 'This link is incomplete. Copy all of it, or request a new one.';

/** A browser's link that is no longer good is answered with a page; programs get JSON as everywhere. */
export function mailLinkErrors(deps: Pick<MailLinkDeps, 'render' | 'mailSignIn'>): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    const isForm = req.path === CALLBACK && req.accepts(['json', 'html']) === 'html';
    if (isForm && err instanceof Conflict && err.code === OTHER_USER) {
      const { address = '' } = err.details;
      return askForConfirmation(deps, req, res, { token: String(req.body?.token), address, isOther: true }, 409);
    }
    if (!isForm || !(err instanceof InvalidInput)) return next(err);
    showRefusal(deps, res, err.code.startsWith('LINK_') ? err.message : INCOMPLETE);
  };
}

/** Shows the page that asks to confirm the sign-in or, if another user is signed in, to switch accounts. */
function askForConfirmation(
  { render }: Pick<MailLinkDeps, 'render'>,
  req: Request,
  res: Response,
  { isOther, ...form }: { token: string; address: string; isOther: boolean },
  status = 200,
) {
  const current = isOther ? findCurrentSession(req)?.user : undefined;
  const title = current ? 'Switch accounts?' : 'Sign in';
  res.set('Cache-Control', 'no-store');
  render.page(res, 'signIn/confirm/index', { ...form, current, refusal: undefined }, { title, status });
}

function showRefusal({ render, mailSignIn }: Pick<MailLinkDeps, 'render' | 'mailSignIn'>, res: Response, refusal: string) {
  res.set('Cache-Control', 'no-store');
  render.page(res, 'signIn/confirm/index', { refusal, mailSignIn }, { title: 'This link doesn’t work', status: 400 });
}

/**
 * The page's address contains the token, which must not leak. On https and on this machine, browsers say where a form
 * comes from by Fetch Metadata. Elsewhere they don't, so the form's origin has to be sent.
 */
function referrerPolicy(appUrl: string): string {
  const { protocol, hostname } = new URL(appUrl);
  const isTrusted = protocol === 'https:' || isLoopback(hostname);
  return isTrusted ? 'no-referrer' : 'same-origin';
}
