import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Longer than proxies keep an idle connection (60 s at AWS, 75 at nginx, 90 at Heroku): the server should not be the
 * first to close it, or a request that is already on its way is lost.
 */
const KEPT_OPEN_MS = 95_000;

export function createWebServer(handler: RequestListener): Server {
  return createServer({ keepAliveTimeout: KEPT_OPEN_MS }, handler);
}

/** Answers the requests it has, and accepts no more. */
export async function stopServing(server: Server): Promise<void> {
  // Otherwise a connection would be kept open after its last answer as long as any other.
  server.keepAliveTimeout = 1;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}
