import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider of which only the answers matter: what it knows of subscriptions is what a test says. */
export type Provider = {
  url: string;
  /** By id; what is not in there is answered with 404. */
  subscriptions: Map<string, object>;
  /** Instead of an answer: a status for everything, or hanging up. */
  failure: number | 'hangup' | undefined;
  /** Paths that were asked for. */
  asked: string[];
  stop(): Promise<void>;
};

export async function startProvider(): Promise<Provider> {
  const server = createServer((req, res) => {
    provider.asked.push(`${req.method} ${req.url}`);
    if (provider.failure === 'hangup') return void req.socket.destroy();
    const found = provider.subscriptions.get(req.url?.split('/').at(-1) ?? '');
    const status = provider.failure ?? (found ? 200 : 404);
    const error = { error: { type: 'api_error', ...(status === 404 && { code: 'resource_missing' }), message: 'no' } };
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(status === 200 ? found : error));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscriptions: new Map(),
    failure: undefined,
    asked: [],
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return provider;
}
