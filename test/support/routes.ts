import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { createShortLivedSessions } from '../../src/http/shortLivedSession.ts';
import type { Service } from './service.ts';

/** `path` as it was written: `/conversations/:id/track`. */
export type Route = { method: string; path: string };

type Layer = { route?: { path: string; methods: Record<string, boolean> } | undefined; handle: unknown };

/** Every route the service's app mounts, read from the router itself. */
export async function mountedRoutes(service: Pick<Service, 'env' | 'clock'>): Promise<Route[]> {
  const deps = await createDeps(loadConfig(service.env), 'web', service.clock);
  const sessions = await createShortLivedSessions(deps);
  try {
    return routesOf(createApp(deps, sessions).router);
  } finally {
    await sessions.close();
    await deps.close();
  }
}

export function routesOf(router: unknown): Route[] {
  return layersOf(router).flatMap(({ route, handle }) => {
    if (!route) return routesOf(handle);
    return Object.keys(route.methods).map(method => ({ method, path: route.path }));
  });
}

/** A router is a function with a stack; a handler has none. */
function layersOf(handle: unknown): Layer[] {
  return typeof handle === 'function' && 'stack' in handle && Array.isArray(handle.stack) ? handle.stack : [];
}
