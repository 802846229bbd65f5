import type { Express } from 'express';
import { createPages } from '../pages/pages.ts';
import { type Gate, routerFor } from './gate.ts';
import { consentRouter } from './oauth/consent.ts';
import { tokenRouter } from './oauth/tokenRoutes.ts';
import { crmPages } from './pages.ts';
import { OBJECT_TYPES } from './records.ts';
import { Refusal } from './refusals.ts';
import { accountRoute } from './routes/accountRoute.ts';
import { associationBatchRoute, associationListRoute } from './routes/associationRoutes.ts';
import { objectRoutes } from './routes/objectRoutes.ts';
import { propertyRoutes } from './routes/propertyRoutes.ts';
import { rulesPages } from './rulesPages.ts';
import { taskPages } from './taskPages.ts';

const DATED = ['2026-03', '2026-09'];

/** The whole CRM: its API under the vendor's paths, version 3 and the dated versions, and its pages. */
export function createCrmApp(gate: Gate, clientId: string): Express {
  const pages = createPages('CRM sandbox', 'crm/page');
  const { app } = pages;
  app.use('/oauth', consentRouter(gate, clientId, pages));
  app.use(pathsOf('/oauth'), tokenRouter(gate));
  app.use(pathsOf('/account-info', 'v3'), routerFor(gate, [accountRoute]));

  app.use('/crm/v3/objects', routerFor(gate, [associationListRoute('v3')]));
  app.use(['/crm/v4/objects', ...pathsOf('/crm/objects')], routerFor(gate, [associationListRoute('newer')]));
  app.use(['/crm/v4/associations', ...pathsOf('/crm/associations')], routerFor(gate, [associationBatchRoute]));
  app.use(['/crm/v3/properties', ...pathsOf('/crm/properties')], routerFor(gate, propertyRoutes));
  for (const type of OBJECT_TYPES) {
    const paths = ['/crm/v3/objects', ...pathsOf('/crm/objects')].map(path => `${path}/${type}`);
    app.use(paths, routerFor(gate, objectRoutes(type)));
  }
  app.use(crmPages(gate.state, pages), taskPages(gate.state, pages), rulesPages(gate.state, pages));
  pages.endWith((res, status) => {
    const message = status === 404 ? 'resource not found' : status < 500 ? 'invalid request' : 'internal error';
    res.status(status).json(new Refusal(status, { message }).body);
  });
  return app;
}

function pathsOf(path: string, ...more: string[]): string[] {
  return [...DATED, ...more].map(version => `${path}/${version}`);
}
