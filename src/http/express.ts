import { constants } from 'node:zlib';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
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

/** Compresses what is worth it. At quality 5 a page is a tenth smaller than at the default of 4, for a millisecond. */
export function compress(): RequestHandler {
  return compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } });
}

/** Marks answers of the API. Version 1 takes additive changes only. */
export const apiVersion: RequestHandler = (_req, res, next) => {
  res.set({ 'X-API-Version': '1', 'Cache-Control': 'no-store' });
  next();
};

/** Skips a router of the API at once when the address is a page's, so that it isn't searched in vain. */
export const limitToApi: RequestHandler = (req, _res, next) => next(isApi(req) ? undefined : 'router');
