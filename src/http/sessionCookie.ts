import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

const NAME = 'authjs.session-token';

/** On https the browser keeps the cookie only when it came over https and for this host. */
function cookieName(req: Request): string {
  return req.secure ? `__Secure-${NAME}` : NAME;
}

function cookieOptions(req: Request): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: req.secure, path: '/' };
}

export function readSessionCookie(req: Request): string | undefined {
  return parseCookie(req.headers.cookie ?? '')[cookieName(req)];
}

export function setSessionCookie(req: Request, res: Response, token: string, expires: Date): void {
  res.cookie(cookieName(req), token, { ...cookieOptions(req), expires });
}

export function clearSessionCookie(req: Request, res: Response): void {
  res.clearCookie(cookieName(req), cookieOptions(req));
}
