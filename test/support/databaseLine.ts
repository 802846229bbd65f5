import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

export type Line = {
  /** The database's address by way of the line. */
  url: string;
  /** Hangs up on everybody and takes no new connection. */
  cut(): void;
  /** Takes connections, but nothing comes through any more. */
  freeze(): void;
  mend(): Promise<void>;
  close(): void;
};

/** Stands between a service and its database, and can break. */
export async function lineTo(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer(near => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    }
    near.on('data', bytes => isFrozen || far.write(bytes)).on('close', () => far.destroy());
    far.on('data', bytes => isFrozen || near.write(bytes)).on('close', () => near.destroy());
  });
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const hangUp = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut: hangUp,
    freeze() {
      isFrozen = true;
    },
    async mend() {
      if (isFrozen) hangUp();
      isFrozen = false;
      if (!server.listening) await listen(port);
    },
    close: hangUp,
  };
}
