import type { RequestHandler } from 'express';
import type { Log } from '../lib/log.ts';

/**
 * Warns once when requests seem to come over plain http although people use https. All of them then seem to come from
 * the proxy as well, and limits by address hit everybody at once.
 */
export function warnOfForgottenProxy({ log, https }: { log: Log; https: boolean }): RequestHandler {
  let isSaid = !https;
  return (req, _res, next) => {
    if (!isSaid && !req.secure) {
      isSaid = true;
      log.warn(
        'APP_URL is https but a request came over plain http: set TRUST_PROXY to the number of proxies in front',
      );
    }
    next();
  };
}
