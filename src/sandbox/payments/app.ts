import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { onlyFromHere, securityHeaders, sharedStyle } from '../ownPages.ts';
import { type ApiDeps, paymentsApi } from './api.ts';
import { paymentPages } from './pages.ts';
import { Refusal } from './refusals.ts';

const PAGES = fileURLToPath(new URL('./page', import.meta.url));

/** The whole provider: its interface under the vendor's paths, and its pages. */
export function createPaymentsApp(deps: ApiDeps): Express {
  const eta = new Eta({ views: PAGES, cache: true });
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders(), onlyFromHere);
  app.get('/shared.css', sharedStyle);
  app.get('/style.css', (_req, res) => res.sendFile('style.css', { root: PAGES }));
  app.use('/v1', paymentsApi(deps));
  app.use(paymentPages({ ...deps, render: eta.render.bind(eta) }));
  app.use((_req, res) => {
    res.status(404).json(new Refusal(404, { message: 'Unrecognized request URL.' }).body);
  });
  app.use(unforeseen);
  return app;
}

/** Four parameters, by which express knows it. */
const unforeseen: ErrorRequestHandler = (error, _req, res, _next) => {
  const status = typeof error?.status === 'number' ? error.status : 500;
  const refusal =
    error instanceof Refusal ? error : new Refusal(status, { message: 'This request was not understood.' });
  res.status(status).json(refusal.body);
};
