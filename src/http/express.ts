import express, { type Express, type RequestHandler } from 'express';
import { isApi } from './errors.ts';

/** @param trustProxy which proxies in front are believed about who asks, as Express takes it */
export function createExpress({ trustProxy }: { trustProxy: unknown }): Express {
  const app = express();
  app.disable('x-powered-by');
  // Answers are a person's own and never kept: hashing them would serve no one. Assets are immutable anyway.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  return app;
}

/** Leaves a router of the API at once for the address of a page, which is not looked for in it. */
export const limitToApi: RequestHandler = (req, _res, next) => next(isApi(req) ? undefined : 'router');
