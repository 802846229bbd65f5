import type { RequestHandler } from 'express';
import { Forbidden } from '../lib/errors.ts';
import { hostnameOf, isLoopback } from '../lib/hosts.ts';

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
