import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listening = { url: string; stop(): Promise<void> };

export const HOST = '127.0.0.1';
/** Clients keep their connections: one that is closed while the next call is on its way would look like a lost answer. */
const KEPT_OPEN_MS = 120_000;

/** Serves HTTP on loopback. Rejects when the port is taken. @param port 0: any free one */
export async function listen(handler: RequestListener, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: KEPT_OPEN_MS }, handler).listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
