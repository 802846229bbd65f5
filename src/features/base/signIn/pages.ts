import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { findCurrentSession } from '../../../http/currentUser.ts';
import { ownPath } from '../../../http/ownPath.ts';
import type { Renderer } from '../../../http/render.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict, InvalidInput } from '../../../lib/errors.ts';
import { isLoopback } from '../../../lib/hosts.ts';
import { emailAddress } from '../users/schema.ts';
import { LINK_MINUTES, maskAddress, webmailOf } from './rules.ts';
import { OTHER_USER, readSignInLink } from './service.ts';

/** Where the button of the confirm page leads. */
const CALLBACK = '/api/auth/callback/email';

type Deps = {
  db: Db;
  clock: Clock;
  render: Renderer;
  appUrl: string;
  ownerEmail: string | undefined;
  /** Whether a new link can be sent by mail. Otherwise it is made in the terminal. */
  mailSignIn: boolean;
};

/** What follows the form: "Check your inbox", and the page that the mail's link opens. */
export function signInPages(deps: Deps): Router {
  const { render, appUrl } = deps;
  const pages = Router();

  pages.get('/signin/sent', (req, res, next) => {
    if (!deps.mailSignIn) return next();
    const { data: email } = emailAddress.safeParse(req.query.email);
    const asked = typeof req.query.callbackUrl === 'string' ? req.query.callbackUrl : undefined;
    const callbackUrl = ownPath(asked, req.get('host')) ?? '/today';
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
      ask(deps, req, res, { token, address: maskAddress(email), isOther });
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      showRefusal(deps, res, err.message);
    }
  });

  return pages;
}

const INCOMPLETE = 'This link is incomplete. Copy all of it, or request a new one.';

/** A browser's link that is no longer good is answered with a page; programs get JSON as everywhere. */
export function mailLinkErrors(deps: Pick<Deps, 'render' | 'mailSignIn'>): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    const isForm = req.path === CALLBACK && req.accepts(['json', 'html']) === 'html';
    if (isForm && err instanceof Conflict && err.code === OTHER_USER) {
      const { address = '' } = err.details;
      return ask(deps, req, res, { token: String(req.body?.token), address, isOther: true }, 409);
    }
    if (!isForm || !(err instanceof InvalidInput)) return next(err);
    showRefusal(deps, res, err.code.startsWith('LINK_') ? err.message : INCOMPLETE);
  };
}

type Asked = { token: string; address: string; isOther: boolean };

/** Names the address; if another user is signed in, it asks a different question. */
function ask(
  { render }: Pick<Deps, 'render'>,
  req: Request,
  res: Response,
  { isOther, ...asked }: Asked,
  status = 200,
) {
  const current = isOther ? findCurrentSession(req)?.user : undefined;
  const title = current ? 'Switch accounts?' : 'Sign in';
  res.set('Cache-Control', 'no-store');
  render.page(res, 'signIn/confirm/index', { ...asked, current, refusal: undefined }, { title, status });
}

function showRefusal({ render, mailSignIn }: Pick<Deps, 'render' | 'mailSignIn'>, res: Response, refusal: string) {
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
