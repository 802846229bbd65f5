import { constants } from 'node:zlib';
import compression from 'compression';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { InvalidInput } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { isApi } from './errors.ts';

/** @param trustProxy which proxies in front are trusted to say who is asking, in Express's format */
export function createExpress({ trustProxy }: { trustProxy: unknown }): Express {
  const app = express();
  app.disable('x-powered-by');
  // Answers are personal and never cached, so hashing them would be of no use. Assets are immutable anyway.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  return app;
}

/** Compresses large responses. Quality 5 saves a tenth over the default of 4 for a millisecond. */
export function compress(): RequestHandler {
  return compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } });
}

/** Marks answers of the API with its version, which takes additive changes only, and as not to be stored. */
export const apiVersion: RequestHandler = (_req, res, next) => {
  res.set({ 'X-API-Version': '1', 'Cache-Control': 'no-store' });
  next();
};

/** Skips a router of the API at once when the address is a page's, so that it isn't searched in vain. */
export const skipOutsideApi: RequestHandler = (req, _res, next) => next(isApi(req) ? undefined : 'router');

/** Runs middleware that doesn't need one another's results, all at the same time. */
export function inParallel(...handlers: RequestHandler[]): RequestHandler {
  return async (req, res, next) => {
    await Promise.all(handlers.map(handler => waitForNext(handler, req, res)));
    next();
  };
}

/** Resolves when the handler lets the request on, rejects with its error. Never settles when it answers itself. */
function waitForNext(handler: RequestHandler, req: Request, res: Response): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const next: NextFunction = (err?: unknown) => (err ? reject(err) : resolve());
  Promise.resolve(handler(req, res, next)).catch(reject);
  return promise;
}

/**
 * Warns once when requests seem to come over plain http although people use https. All of them then seem to come from
 * the proxy as well, and limits by address hit everybody at once.
 */
export function warnOfForgottenProxy({ log, https }: { log: Log; https: boolean }): RequestHandler {
  let isWarned = !https;
  return (req, _res, next) => {
    if (!isWarned && !req.secure) {
      isWarned = true;
      log.warn('APP_URL is https but a request came over plain http: set TRUST_PROXY to the number of proxies in front');
    }
    next();
  };
}

/**
 * Reads request bodies: JSON for the API, forms for pages and for signing in.
 * @param longForms paths of forms that have a box for each conversation
 */
export function createBodyParsers({ longForms }: { longForms: string[] }): Router {
  const form = express.urlencoded({ extended: false, limit: '10kb' });
  const routes = Router();
  routes.use(longForms, express.urlencoded({ extended: false, limit: '200kb', parameterLimit: 2100 }));
  routes.use('/api/auth', form);
  routes.use(
    '/api',
    express.json({ limit: '100kb' }),
    refuseUnread('NOT_JSON', 'Send JSON, with Content-Type: application/json.'),
  );
  routes.use(form, refuseUnread('NOT_A_FORM', 'Send a form, with Content-Type: application/x-www-form-urlencoded.'));
  return routes;
}

/** A body of another kind would count as empty, and the answer would be "saved" although nothing was. */
function refuseUnread(code: string, sentence: string): RequestHandler {
  return (req, _res, next) => {
    const isSent = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    const isRead = req.body !== undefined;
    next(isSent && !isRead ? new InvalidInput(sentence, {}, code) : undefined);
  };
}

/**
 * Security headers. No inline script or style and no eval anywhere: what a conversation or a model wrote can't run.
 * @param formTargets origins a form may lead to beside our own (the CRM, the payment provider)
 */
export function securityHeaders(options: { https: boolean; formTargets: string[] }): RequestHandler {
  const self = ["'self'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: self,
        styleSrc: self,
        fontSrc: self,
        imgSrc: self,
        connectSrc: self,
        manifestSrc: self,
        formAction: [...self, ...options.formTargets],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(options.https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: options.https,
    referrerPolicy: { policy: 'same-origin' },
  });
}
