import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { StartError } from '../src/lib/errors.ts';

const HOST = '127.0.0.1';
/** How far to look for another port when the wanted one is taken. */
const TRIED = 200;

/** Ports this process has handed out: a server may start listening on one later. */
const promised = new Set<number>();

/** Finds a free port. */
export async function freePort(): Promise<number> {
  return (await tryPort(0)) ?? freePort();
}

/**
 * Returns the wanted port, or the next free one with a line that says so. Throws {@link StartError} when
 * there is none nearby.
 */
export async function portFor(purpose: string, wanted: number, say: (line: string) => void): Promise<number> {
  // Near this limit it searches below the port: the messenger's library can't use a port above 32767.
  const first = wanted > 32_767 - TRIED && wanted <= 32_767 ? wanted - TRIED : wanted;
  const others = Array.from({ length: TRIED + 1 }, (_, index) => first + index).filter(port => port <= 65_535);
  for (const candidate of [wanted, ...others]) {
    const port = await tryPort(candidate);
    if (port === undefined) continue;
    if (port !== wanted) say(`Port ${wanted} is taken: ${purpose} uses ${port}`);
    return port;
  }
  throw new StartError(`Port ${wanted} is taken, and so are the ${TRIED} around it: ${purpose} has none.`);
}

/** Returns the port, or any free one for 0; undefined when it is taken. */
async function tryPort(wanted: number): Promise<number | undefined> {
  if (promised.has(wanted)) return undefined;
  const server = createServer().listen(wanted, HOST);
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  if (promised.has(port)) return undefined;
  promised.add(port);
  return port;
}
