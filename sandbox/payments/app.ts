import type { Express } from 'express';
import { createPages } from '../pages/pages.ts';
import { type ApiDeps, paymentsApi } from './api.ts';
import { paymentPages } from './pages.ts';
import { Refusal } from './refusals.ts';

/** The whole provider: its interface under the vendor's paths, and its pages. */
export function createPaymentsApp(deps: ApiDeps): Express {
  const { app, endWith, ...pages } = createPages('Payment sandbox', 'payments/page');
  app.use('/v1', paymentsApi(deps));
  app.use(paymentPages({ ...deps, ...pages }));
  endWith((res, status, error) => {
    const message = error === undefined ? 'Unrecognized request URL.' : 'This request couldn’t be read.';
    const refusal = error instanceof Refusal ? error : new Refusal(status, { message });
    res.status(refusal.status).json(refusal.body);
  });
  return app;
}
