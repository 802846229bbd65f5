import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { Views } from '../lib/views.ts';
import { writtenIn } from '../lib/words.ts';
import type { AssetUrl } from './assets.ts';
import type { ErrorAnswer, RenderError } from './errors.ts';
import { navigationCounts } from './navigation.ts';
import { findCurrentSession, isHtmx } from './request.ts';
import { claimBrowserSession, isSessionUnread } from './shortLivedSession.ts';

/** The data that a page gives to the layout, which knows everything else. */
type PageOptions = {
  title: string;
  /** Default 200. */
  status?: number;
  /** Shows a refused form again with its errors: marks the title, status 400 by default. */
  isRefused?: boolean;
  /** Current entry of the navigation. */
  nav?: 'today' | 'promises' | 'contacts' | 'ask' | 'settings';
  /** The page has no right column: its content takes that space, too. */
  isWide?: boolean;
  /** Seconds after which a browser without JavaScript loads the page again. */
  refreshSeconds?: number;
};

export type Renderer = {
  /** A whole page. `view` is a file under the views folder that names its layout: `today/index`. */
  page(res: Response, view: string, data: object, options: PageOptions): void;
  /** A part of a page, the same file the page includes: `sync/_panel`. Default status 200. */
  fragment(res: Response, view: string, data: object, status?: number): void;
  error: RenderError;
};

type Options = {
  viewsDir: string;
  /** Off in development, so that a changed view shows at once. */
  cache: boolean;
  /** Whether printing a missing value is an error. Off in production, where nothing is printed for it. */
  strict: boolean;
  assetUrl: AssetUrl;
  appName: string;
  /** Sandbox page with codes and mails; development only. */
  sandboxUrl?: string | undefined;
};

function iconOf(assetUrl: AssetUrl) {
  return (name: string, extra = '') =>
    `<svg class="i${extra && ` ${extra}`}" aria-hidden="true"><use href="${assetUrl('icons.svg')}#${name}"/></svg>`;
}

export function createRenderer(options: Options): Renderer {
  const { viewsDir, cache, strict, assetUrl, appName, sandboxUrl } = options;
  // `icon('check')` is markup, `asset('app.css')` an address.
  const everywhere = { icon: iconOf(assetUrl), asset: assetUrl, appName, writtenIn, linksReplace };
  const views = new Views({ viewsDir, cache, strict, autoEscape: true, everywhere });

  const show = async (res: Response, view: string, data: object, { status = 200, ...about }: PageOptions) => {
    // On a server error, counting may fail as well.
    const counts = status < 500 ? await navigationCounts(res.req) : undefined;
    const reader = { ...browserChoices(res.req), user: findCurrentSession(res.req)?.user ?? null };
    const layout = { ...about, ...reader, counts, flash: takeFlash(res.req), sandboxUrl };
    send(res, views.render(`/${view}`, { ...data, layout }), status);
  };

  const page: Renderer['page'] = (res, view, data, { isRefused, ...about }) => {
    const refused = isRefused && { status: 400, ...about, title: `Error: ${about.title}` };
    show(res, view, data, refused || about).catch(err => res.req.next?.(err));
  };

  const fragment: Renderer['fragment'] = (res, view, data, status = 200) => {
    send(res, views.render(`/${view}`, data), status);
  };

  const error: RenderError = async (req, res, answer) => {
    const title = ERROR_TITLES[answer.status] ?? 'That didn’t work';
    // The error is not repeated after a title that says the same.
    const data = { ...answer, title, error: answer.error.replace(`${title}. `, '') };
    if (!isHtmx(req)) return show(res, 'errors/index', data, { title: data.title, status: answer.status });
    // Leaves the page as is; the layout has a place for errors.
    res.set({ 'HX-Retarget': '#problem', 'HX-Reswap': 'innerHTML' });
    fragment(res, 'errors/_problem', data, answer.status);
  };

  return { page, fragment, error };
}

/** Pages show a person's own data and differ for htmx: neither a proxy nor the back button may mix them up. */
function send(res: Response, html: string, status: number) {
  // Unless this page already set its own. The back button must not show a person's page to whoever comes after them:
  // the browser stores a page left by signing out only after that answer could have cleared it.
  const isPersonal = findCurrentSession(res.req) !== undefined;
  if (!res.get('Cache-Control')) res.set('Cache-Control', isPersonal ? 'private, no-store' : 'private, no-cache');
  res.status(status).vary('HX-Request').type('html').send(html);
}

const ERROR_TITLES: Record<ErrorAnswer['status'], string> = {
  400: 'That request didn’t work',
  401: 'A key is required',
  403: 'You can’t do this',
  404: 'Not found',
  409: 'This changed since you opened it',
  413: 'Too large',
  429: 'Too many attempts',
  500: 'Something went wrong on our side',
  502: 'A service we need didn’t respond',
  503: 'Not available right now',
  504: 'A service we need didn’t respond in time',
};

/**
 * The attributes of an element whose links replace a part of the page, as markup, where the browser runs JavaScript; elsewhere
 * they load a page. The last click counts: what an earlier one asked for is dropped.
 */
export function linksReplace(selector: string): string {
  return `hx-boost:inherited="target:${selector} swap:'outerHTML show:none'" hx-sync:inherited="main:replace"`;
}

/** Redirects after a form (303); htmx loads the page as a whole. */
export function seeOther(req: Request, res: Response, path: string): void {
  if (isHtmx(req)) res.set('HX-Redirect', path).status(200).end();
  else res.redirect(303, path);
}

/** Message for the next page: success or failure. */
export type Flash = { tone: 'ok' | 'warn' | 'alert'; title: string; text?: string; undo?: FlashUndo };

/** The form that undoes what the message reports, and the page to show after that. */
type FlashUndo = { path: string; back: string };

declare module 'express-session' {
  interface SessionData {
    flash?: Flash;
  }
}

export function setFlash(req: Request, flash: Flash): void {
  claimBrowserSession(req).flash = flash;
}

const UNREAD: Flash = {
  tone: 'warn',
  title: 'A message may be missing here',
  text: 'Part of the service isn’t answering right now. What you save is kept; you may have to start connecting an account again.',
};

/** Takes the message, so that it shows only once. Pages outside of the browser session have none. */
export function takeFlash(req: Request): Flash | undefined {
  const flash = req.session?.flash;
  if (flash) delete req.session.flash;
  return flash ?? (isSessionUnread(req) ? UNREAD : undefined);
}

/** Choices for one browser, stored in its cookies: keyboards and screens belong to devices. */
export type BrowserChoices = {
  /** Undefined: as the device has it. */
  theme: 'light' | 'dark' | undefined;
  /** Single-key shortcuts can be turned off (WCAG 2.1.4). */
  keysOff: boolean;
  /** A key was pressed before: the list of keys is only shown when asked for. `public/promises.js` stores it. */
  knowsKeys: boolean;
};

const YEAR_MS = 365 * 24 * 3600 * 1000;

export function browserChoices(req: Request): BrowserChoices {
  const { theme, keys, knowsKeys } = parseCookie(req.headers.cookie ?? '');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    keysOff: keys === 'off',
    knowsKeys: knowsKeys === 'yes',
  };
}

export function hasKeys(req: Request): boolean {
  return !browserChoices(req).keysOff;
}

export function chooseTheme(req: Request, res: Response, theme: BrowserChoices['theme']): void {
  save(req, res, { name: 'theme', value: theme });
}

export function chooseKeys(req: Request, res: Response, keys: 'on' | 'off'): void {
  save(req, res, { name: 'keys', value: keys === 'off' ? keys : undefined });
}

function save(req: Request, res: Response, { name, value }: { name: string; value: string | undefined }): void {
  const cookie = { path: '/', sameSite: 'lax', httpOnly: true, secure: req.secure } as const;
  if (value === undefined) res.clearCookie(name, cookie);
  else res.cookie(name, value, { ...cookie, maxAge: YEAR_MS });
}
