import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import { createModelWork } from './features/operator/setup/createModelWork.ts';
import { admitOnce, setupPages } from './features/operator/setup/pages.ts';
import type { Check, ServiceChecks, StepId } from './features/operator/setup/schema.ts';
import { createAssets } from './http/assets.ts';
import { answerErrors, answerNotFound } from './http/errors.ts';
import { compress, createBodyParsers, createExpress, securityHeaders } from './http/express.ts';
import { createRenderer } from './http/render.ts';
import { loopbackOnly, sameOriginOnly } from './http/sameOrigin.ts';
import type { Log } from './lib/log.ts';

const APP_NAME = 'Forenoon';
const resolveFolder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

export type SetupOptions = {
  settingsFile: string;
  port: number;
  servicePort: number;
  /** Opens the page, once. */
  token: string;
  checks: ServiceChecks;
  problemsWith: (settings: Record<string, string>) => readonly string[];
  say: (line: string) => void;
  finish: () => void;
  log: Log;
};

/** The site map of the setup page: a site of its own, since there is neither a database nor anyone to sign in yet. */
export function createSetupApp({ port, servicePort, token, log, ...options }: SetupOptions): Express {
  const assets = createAssets({ publicDir: resolveFolder('public') });
  const render = createRenderer({
    viewsDir: resolveFolder('views'),
    cache: true,
    strict: false,
    assetUrl: assets.url,
    appName: APP_NAME,
  });
  const site = {
    modelWork: createModelWork(options.checks),
    ...options,
    render,
    proofs: new Map<StepId, Check[]>(),
    localUrl: `http://localhost:${servicePort}`,
  };
  const app = createExpress({ trustProxy: 0 });
  app.use(loopbackOnly);
  app.use(securityHeaders({ https: false, formTargets: [] }));
  app.use(compress());
  app.use(assets.routes);
  app.use(sameOriginOnly({ appUrl: `http://127.0.0.1:${port}` }));
  app.use('/setup', admitOnce(token));
  app.use(createBodyParsers({ longForms: [] }));
  setupPages(app, site);
  app.use(answerNotFound);
  app.use(answerErrors({ log, renderError: render.error }));
  return app;
}
