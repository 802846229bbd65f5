import type { Request, RequestHandler } from 'express';
import { Forbidden } from '../lib/errors.ts';
import { hostnameOf, isLoopback } from '../lib/hosts.ts';

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

/**
 * For a service on a person's own machine, where an address alone signs in. A site may point its own name at this machine
 * (DNS rebinding), and a proxy may open it to others: refuses every foreign `Host` and whatever was forwarded.
 */
export const loopbackOnly: RequestHandler = (req, _res, next) => {
  const hostname = hostnameOf(req.headers.host);
  if (hostname === undefined || !isLoopback(hostname)) {
    return next(new Forbidden('This page answers to loopback addresses only, such as 127.0.0.1.', 'FOREIGN_HOST'));
  }
  const isForwarded = Object.keys(req.headers).some(name => name === 'forwarded' || name.startsWith('x-forwarded-'));
  next(isForwarded ? new Forbidden('No proxy is allowed in front of this page.', 'FORWARDED') : undefined);
};

/**
 * For addresses that programs open with a token: refuses a `Host` that isn't ours, since a site may point its own name at
 * this server (DNS rebinding), and an `Origin` that isn't ours, whatever the method. A service that is reached under a
 * loopback address may be so under each of them.
 */
export function ownHostOnly({ appUrl }: { appUrl: string }): RequestHandler {
  const serviceUrl = new URL(appUrl);
  const isHere = (host: string | undefined) => {
    const hostname = hostnameOf(host);
    return host === serviceUrl.host || (isLoopback(serviceUrl.hostname) && hostname !== undefined && isLoopback(hostname));
  };
  return (req, _res, next) => {
    if (!isHere(req.host)) return next(new Forbidden('This address answers to its own name only.', 'FOREIGN_HOST'));
    const origin = req.get('origin');
    const isOwn = origin === undefined || origin === serviceUrl.origin || URL.parse(origin)?.host === req.host;
    next(isOwn ? undefined : new Forbidden('This request came from another site and was blocked.', 'FOREIGN_ORIGIN'));
  };
}
