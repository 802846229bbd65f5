import type { Request, RequestHandler } from 'express';
import { Forbidden } from '../lib/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe requests that another site made the browser send, by Fetch Metadata, else by Origin: that of
 * `appUrl`, or of the host asked for, which a proxy may have rewritten.
 * With SameSite=Lax cookies this replaces CSRF tokens. A request with neither header is not from a browser.
 */
export function sameOriginOnly({ appUrl }: { appUrl: string }): RequestHandler {
  return (req, _res, next) => {
    const isFine = SAFE.has(req.method) || isOwn(req, appUrl);
    next(isFine ? undefined : new Forbidden('This request came from another site and was blocked.'));
  };
}

function isOwn(req: Request, appUrl: string): boolean {
  const site = req.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = req.get('origin');
  return origin === undefined || origin === appUrl || URL.parse(origin)?.host === req.get('host');
}
