import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Longer than proxies keep a connection that no one uses (60 s at AWS, 75 at nginx, 90 at Heroku): whoever closes it first should
 * not be the server, or the request that is on its way then is lost.
 */
const KEPT_OPEN_MS = 95_000;

/** A web server that is not listening yet. */
export function createWebServer(handler: RequestListener): Server {
  return createServer({ keepAliveTimeout: KEPT_OPEN_MS }, handler);
}

/** Answers what was asked, and takes nothing more. */
export async function stopServing(server: Server): Promise<void> {
  // A connection whose last answer is still to come would otherwise be kept as long as any other.
  server.keepAliveTimeout = 1;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}
