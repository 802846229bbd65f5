import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { hostnameOf, isLoopback } from '../src/lib/hosts.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export type Render = (view: string, data: object) => string;

/**
 * An app that answers only to its own pages, and how these are rendered.
 * @param folder below this one, with their views and what is their own of style
 */
export function createOwnPages(folder: string): { app: Express; render: Render } {
  const eta = new Eta({ views: HERE, cache: true });
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders(), onlyFromHere);
  app.get('/shared.css', (_req, res) => res.sendFile('ownPages.css', { root: HERE }));
  app.get('/style.css', (_req, res) => res.sendFile(`${folder}/style.css`, { root: HERE }));
  return { app, render: (view, data) => eta.render(`/${folder}/${view}`, data) };
}

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
const onlyFromHere: RequestHandler = (req, res, next) => {
  const { host = '', origin } = req.headers;
  const known = isLoopback(hostnameOf(host) ?? '') && (origin === undefined || origin === `http://${host}`);
  const site = req.headers['sec-fetch-site'];
  const crossed = req.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
  if (known && !crossed) next();
  else res.status(403).json({ error: 'This page answers only to itself.' });
};
