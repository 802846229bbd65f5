import type { Response } from 'express';
import { Views } from '../lib/views.ts';
import { writtenIn } from '../lib/words.ts';
import type { AssetUrl } from './assets.ts';
import { browserChoices } from './browserChoices.ts';
import { findCurrentSession } from './currentUser.ts';
import type { ErrorAnswer, RenderError } from './errors.ts';
import { takeFlash } from './flash.ts';
import { isHtmx, linksReplace } from './htmx.ts';
import { navigationCounts } from './navigation.ts';

/** What a page says about itself; the layout knows everything else. */
type PageOptions = {
  title: string;
  /** Default 200. */
  status?: number;
  /** Which entry of the navigation is the current one. */
  nav?: 'today' | 'promises' | 'contacts' | 'ask' | 'settings';
  /** No column on the right: the content takes its place. */
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
  /** Where codes and mails of the sandbox are shown; only in development. */
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
    // If the error is ours, counting may well be what fails.
    const counts = status < 500 ? await navigationCounts(res.req) : undefined;
    const reader = { ...browserChoices(res.req), user: findCurrentSession(res.req)?.user ?? null };
    const layout = { ...about, ...reader, counts, flash: takeFlash(res.req), sandboxUrl };
    send(res, views.render(`/${view}`, { ...data, layout }), status);
  };

  const page: Renderer['page'] = (res, view, data, about) => {
    show(res, view, data, about).catch(err => res.req.next?.(err));
  };

  const fragment: Renderer['fragment'] = (res, view, data, status = 200) => {
    send(res, views.render(`/${view}`, data), status);
  };

  const error: RenderError = async (req, res, answer) => {
    const title = ERROR_TITLES[answer.status] ?? 'That didn’t work';
    // What the title says already is not said twice.
    const data = { ...answer, title, error: answer.error.replace(`${title}. `, '') };
    if (!isHtmx(req)) return show(res, 'errors/index', data, { title: data.title, status: answer.status });
    // Whatever was asked for stays as it is; the layout has a place for what went wrong.
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
