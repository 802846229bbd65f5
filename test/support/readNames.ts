import type { AddressInfo } from 'node:net';
import type { Express, Request } from 'express';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { createBrowserSessions } from '../../src/http/browserSession.ts';
import { createWebServer } from '../../src/http/webServer.ts';
import { type Route, routesOf } from './routes.ts';
import type { Service } from './service.ts';

/** Which names each route reads, by `GET /today`. They are known once it was asked. */
export type ReadNames = {
  url: string;
  routes: Route[];
  /** Those a route reads from the query and from the body. */
  namesOf(route: Route): { query: string[]; body: string[] };
  stop(): Promise<void>;
};

/** Another web process of the service, whose requests note what is read from them. */
export async function startNoting(service: Pick<Service, 'env' | 'clock'>): Promise<ReadNames> {
  const deps = await createDeps(loadConfig(service.env), 'web', service.clock);
  const sessions = await createBrowserSessions(deps);
  const app = createApp(deps, sessions);
  const read = new Map<string, Set<string>>();
  noteReads(app, read);
  const server = createWebServer(app);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const sorted = (key: string) => [...(read.get(key) ?? [])].sort();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes: routesOf(app.router),
    namesOf: ({ method, path }) => ({
      query: sorted(`${method} ${path} query`),
      body: sorted(`${method} ${path} body`),
    }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      await sessions.close();
      await deps.close();
    },
  };
}

function noteReads({ request }: Express, read: Map<string, Set<string>>): void {
  const parsed = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(request), 'query')?.get;
  const bodies = new WeakMap<Request, unknown>();
  const noting = (req: Request, where: 'query' | 'body', values: unknown) => {
    if (typeof values !== 'object' || values === null || !req.route) return values;
    const key = `${req.method.toLowerCase()} ${req.route.path} ${where}`;
    const names = read.get(key) ?? new Set();
    read.set(key, names);
    const note = (name: string | symbol) => void (typeof name === 'string' && names.add(name));
    return new Proxy(values, {
      get: (target, name) => {
        note(name);
        return Reflect.get(target, name);
      },
      has: (target, name) => {
        note(name);
        return Reflect.has(target, name);
      },
    });
  };
  Object.defineProperty(request, 'query', {
    get(this: Request) {
      return noting(this, 'query', parsed?.call(this));
    },
  });
  Object.defineProperty(request, 'body', {
    get(this: Request) {
      return noting(this, 'body', bodies.get(this));
    },
    set(this: Request, body: unknown) {
      bodies.set(this, body);
    },
  });
}
