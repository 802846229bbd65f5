import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

const SHARED_STYLE = fileURLToPath(new URL('./ownPages.css', import.meta.url));

/** For pages without scripts. @param formTargets origins beside their own that a form may lead to */
export function securityHeaders(formTargets: string[] = []): RequestHandler {
  const nothing = ["'none'"];
  const self = ["'self'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: nothing,
        styleSrc: self,
        formAction: [...self, ...formTargets],
        baseUri: nothing,
        frameAncestors: nothing,
      },
    },
    // With no referrer at all browsers name no origin when a form is sent.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  });
}

/** What a local stand-in shows is nobody else's: a site that resolves its name to this machine must not read it, nor post to it. */
export const onlyFromHere: RequestHandler = (req, res, next) => {
  const { host = '', origin } = req.headers;
  const known = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host) && (origin === undefined || origin === `http://${host}`);
  const site = req.headers['sec-fetch-site'];
  const crossed = req.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
  if (known && !crossed) next();
  else res.status(403).json({ error: 'This page answers only to itself.' });
};

/** What the records of one stand-in and of the other have in common; each has its own colours. */
export const sharedStyle: RequestHandler = (_req, res) => res.sendFile(SHARED_STYLE);
