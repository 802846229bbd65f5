import type { ErrorRequestHandler, Express } from 'express';
import { createOwnPages } from '../ownPages.ts';
import { type ApiDeps, paymentsApi } from './api.ts';
import { paymentPages } from './pages.ts';
import { Refusal } from './refusals.ts';

/** The whole provider: its interface under the vendor's paths, and its pages. */
export function createPaymentsApp(deps: ApiDeps): Express {
  const { app, render } = createOwnPages('payments/page');
  app.use('/v1', paymentsApi(deps));
  app.use(paymentPages({ ...deps, render }));
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
