import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { hostnameOf, isLoopback } from '../../src/lib/hosts.ts';

const SANDBOX = fileURLToPath(new URL('..', import.meta.url));

type Render = (view: string, data: object) => string;

/** An error page. */
type Problem = { title?: string; problem: string /** The words of a link to the first page. */; back?: string };

export type Pages = {
  /** The app, which rejects requests from other sites. */
  app: Express;
  render: Render;
  showProblem(res: Response, status: number, problem: Problem): void;
  /** To be called after all routes. @param answer to what no route took (404) and to what a route threw */
  endWith(answer: (res: Response, status: number, error: unknown) => void): void;
};

/**
 * @param server the server's name in titles
 * @param folder below sandbox/, with its views and a style.css for what is its own
 */
export function createPages(server: string, folder: string): Pages {
  const eta = new Eta({ views: SANDBOX, cache: true });
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders(), onlyFromHere);
  app.get('/shared.css', (_req, res) => res.sendFile('pages/shared.css', { root: SANDBOX }));
  app.get('/style.css', (_req, res) => res.sendFile(`${folder}/style.css`, { root: SANDBOX }));
  return {
    app,
    render: (view, data) => eta.render(`/${folder}/${view}`, { ...data, server }),
    showProblem(res, status, problem) {
      res.status(status).send(eta.render('/pages/problem', { title: 'That didn’t work', ...problem, server }));
    },
    endWith(answer) {
      // Express knows a handler of errors by its four parameters.
      const onError: ErrorRequestHandler = (error, _req, res, _next) =>
        answer(res, typeof error?.status === 'number' ? error.status : 500, error);
      app.use((_req, res) => answer(res, 404, undefined));
      app.use(onError);
    },
  };
}

/** The headers of pages without scripts. @param formTargets other origins that a form may redirect to */
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
    // Without a referrer browsers send no origin with a form.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  });
}

/**
 * A local server is for this machine alone: a website whose name resolves to it must neither read its pages nor post to
 * them.
 */
const onlyFromHere: RequestHandler = (req, res, next) => {
  const { host = '', origin } = req.headers;
  const known = isLoopback(hostnameOf(host) ?? '') && (origin === undefined || origin === `http://${host}`);
  const site = req.headers['sec-fetch-site'];
  const crossed = req.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
  if (known && !crossed) next();
  else res.status(403).json({ error: 'This page answers only to itself.' });
};
