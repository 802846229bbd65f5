import type { RequestHandler } from 'express';
import { Forbidden } from '../lib/errors.ts';
import { hostnameOf, isLoopback } from '../lib/hosts.ts';

/**
 * For addresses that programs open with a token: refuses a `Host` that isn't ours, since a site may point its own name at
 * this server (DNS rebinding), and an `Origin` that isn't ours, whatever the method. A service that is reached under a
 * loopback address may be so under each of them.
 */
export function ownHostOnly({ appUrl }: { appUrl: string }): RequestHandler {
  const own = new URL(appUrl);
  const isHere = (host: string | undefined) => {
    const hostname = hostnameOf(host);
    return host === own.host || (isLoopback(own.hostname) && hostname !== undefined && isLoopback(hostname));
  };
  return (req, _res, next) => {
    if (!isHere(req.host)) return next(new Forbidden('This address answers to its own name only.', 'FOREIGN_HOST'));
    const origin = req.get('origin');
    const isOwn = origin === undefined || origin === own.origin || URL.parse(origin)?.host === req.host;
    next(isOwn ? undefined : new Forbidden('This request came from another site and was blocked.', 'FOREIGN_ORIGIN'));
  };
}
