import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

export type DatabaseLine = {
  /** The server's address by way of the line. */
  url: string;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Accepts connections, but passes nothing through. */
  freeze(): void;
  /** Delays everything the server sends. */
  slow(milliseconds: number): void;
  restore(): Promise<void>;
  close(): void;
};

/** A proxy between the service and a server such as its database that can fail. @param serverUrl with a port */
export async function lineTo(serverUrl: string): Promise<DatabaseLine> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let delay = 0;
  const server = createServer(near => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    }
    const pass = (bytes: Buffer) => isFrozen || near.destroyed || near.write(bytes);
    near.on('data', bytes => isFrozen || far.write(bytes)).on('close', () => far.destroy());
    far.on('data', bytes => (delay > 0 ? setTimeout(pass, delay, bytes) : pass(bytes))).on('close', () => near.destroy());
  });
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(serverUrl);
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
    slow(milliseconds) {
      delay = milliseconds;
    },
    async restore() {
      delay = 0;
      if (isFrozen) hangUp();
      isFrozen = false;
      if (!server.listening) await listen(port);
    },
    close: hangUp,
  };
}
