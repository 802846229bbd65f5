import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';

/** The data centre where clients begin, and the default one of accounts. */
export const HOME_DC = 2;
const IDS = [1, 2, 3, 4, 5];

/** Addresses by number, all on one port. On machines with one loopback address there is only the home one. */
export type DataCentres = Map<number, string>;

export type Listening = {
  dataCentres: DataCentres;
  /** Every open connection breaks at once. */
  dropConnections(): void;
  stop(): Promise<void>;
};

type Serve = (socket: Socket, dataCentre: number) => void;

/**
 * Listens as data centre n on 127.0.0.n. macOS has only the first of these addresses: there one stands for all.
 * Rejects when the port is taken on one of them.
 */
export async function listenAsDataCentres(
  port: number,
  serve: Serve,
  { hostOf = id => `127.0.0.${id}`, log = null }: { hostOf?: (id: number) => string; log?: Logger | null } = {},
): Promise<Listening> {
  try {
    return await listen(new Map(IDS.map(id => [id, hostOf(id)])), port, serve);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL')) throw error;
    log?.warn('This machine has one loopback address: the messenger sandbox is one data centre only');
    return listen(new Map([[HOME_DC, '127.0.0.1']]), port, serve);
  }
}

async function listen(dataCentres: DataCentres, port: number, serve: Serve): Promise<Listening> {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async () => {
    const closed = servers.map(server => once(server, 'close'));
    for (const server of servers) server.close();
    dropConnections();
    await Promise.all(closed);
  };
  const accept = (socket: Socket, id: number) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, id);
  };
  try {
    for (const [id, host] of dataCentres) {
      const server = createServer({ noDelay: true }, socket => accept(socket, id)).listen(port, host);
      await once(server, 'listening');
      servers.push(server);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { dataCentres, dropConnections, stop };
}

/** Returns this data centre, or the one that serves its accounts. */
export function servedBy(dataCentres: DataCentres, id: number): number {
  return dataCentres.has(id) ? id : HOME_DC;
}

/** Lists all data centres of the real service, since clients would use its own addresses for a missing one. */
export function addressesOf(dataCentres: DataCentres): { id: number; host: string }[] {
  return IDS.map(id => ({ id, host: dataCentres.get(servedBy(dataCentres, id)) ?? '' }));
}
