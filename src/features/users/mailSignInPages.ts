import { type ErrorRequestHandler, type Response, Router } from 'express';
import { ownPath } from '../../http/ownPath.ts';
import type { Renderer } from '../../http/render.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { webmailOf } from './rules.ts';
import { emailAddress } from './schema.ts';
import { LINK_MINUTES } from './signInMails.ts';

/** Where the button of the confirm page leads. */
const CALLBACK = '/api/auth/callback/email';

type Deps = { render: Renderer; appUrl: string };

/** What follows the form: "Check your inbox", and the page that the mail's link opens. */
export function mailSignInPages({ render, appUrl }: Deps): Router {
  const pages = Router();

  pages.get('/signin/sent', (req, res) => {
    const { data: email } = emailAddress.safeParse(req.query.email);
    const asked = typeof req.query.callbackUrl === 'string' ? req.query.callbackUrl : undefined;
    const callbackUrl = ownPath(asked, req.get('host')) ?? '/today';
    const data = { email, callbackUrl, minutes: LINK_MINUTES, webmail: email && webmailOf(email) };
    render.page(res, 'users/sent', data, { title: 'Check your inbox' });
  });

  // Changes nothing and looks nothing up: programs open the links of a mail before the person does.
  pages.get('/auth/confirm', (req, res) => {
    const { token } = req.query;
    res.set('Referrer-Policy', referrerPolicy(appUrl));
    if (typeof token === 'string' && token !== '') return ask({ render }, res, token);
    showRefusal({ render }, res, INCOMPLETE);
  });

  return pages;
}

const INCOMPLETE = 'This link is not whole. Copy all of it from the mail, or have a new one sent.';

/** A browser's link that is no longer good is answered with a page; programs get JSON as everywhere. */
export function mailLinkErrors(deps: Pick<Deps, 'render'>): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    const isForm = req.path === CALLBACK && req.accepts(['json', 'html']) === 'html';
    if (!isForm || !(err instanceof InvalidInput)) return next(err);
    showRefusal(deps, res, err.code.startsWith('LINK_') ? err.message : INCOMPLETE);
  };
}

function ask({ render }: Pick<Deps, 'render'>, res: Response, token: string) {
  res.set('Cache-Control', 'no-store');
  render.page(res, 'users/confirm', { token, refusal: undefined }, { title: 'Sign in' });
}

function showRefusal({ render }: Pick<Deps, 'render'>, res: Response, refusal: string) {
  res.set('Cache-Control', 'no-store');
  render.page(res, 'users/confirm', { refusal }, { title: 'This link does not work', status: 400 });
}

/**
 * The address of the page holds the token: nobody is to be told of it. Only where browsers don't say by Fetch Metadata
 * from where a form comes, which they do on https and on this machine, it must stand in the form's origin.
 */
function referrerPolicy(appUrl: string): string {
  const { protocol, hostname } = new URL(appUrl);
  const isTrusted = protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return isTrusted ? 'no-referrer' : 'same-origin';
}
