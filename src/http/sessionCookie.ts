import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

const COOKIE_NAME = 'authjs.session-token';

export type SessionCookie = {
  read(req: Request): string | undefined;
  set(res: Response, token: string, expires: Date): void;
  clear(res: Response): void;
};

/**
 * On https, the cookie is bound to https and this host.
 * @param https whether people reach the service over https: a request may look different behind a proxy
 */
export function createSessionCookie({ https }: { https: boolean }): SessionCookie {
  const name = https ? `__Host-${COOKIE_NAME}` : COOKIE_NAME;
  const options: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: https, path: '/' };
  return {
    read: req => parseCookie(req.headers.cookie ?? '')[name],
    set: (res, token, expires) => void res.cookie(name, token, { ...options, expires }),
    clear: res => void res.clearCookie(name, options),
  };
}

/**
 * For the answer that signs a user out: the browser forgets the pages it showed, even those the back button would show
 * as they were left, and what scripts stored. Cookies stay: the session's is cleared by name, and what the person chose
 * for this device is not a secret. Browsers obey it on https and on their own machine.
 */
export function clearSiteData(res: Response): void {
  res.set('Clear-Site-Data', '"cache", "storage"');
}
