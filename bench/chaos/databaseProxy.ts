import { connect, createServer, type Socket } from 'node:net';

export type DatabaseProxy = {
  /** The database's address, by way of the proxy. */
  url: string;
  /** Breaks every connection and refuses new ones for a while. */
  cut(milliseconds: number): void;
  stop(): Promise<void>;
};

/** A wire to the database that can be cut. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer(incoming => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: url.href,
    cut(milliseconds) {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      setTimeout(() => {
        isCut = false;
      }, milliseconds);
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
