import getPort, { portNumbers } from 'get-port';

const HOST = '127.0.0.1';
/** How far to look for another port when the wanted one is taken. */
const TRIED = 200;

/** A port nothing listens on. */
export function freePort(): Promise<number> {
  return getPort({ host: HOST });
}

/** The wanted port, or the next free one when it is taken, which is said with its purpose. */
export async function portFor(purpose: string, wanted: number, say: (line: string) => void): Promise<number> {
  // Downwards near the top: the messenger's library can't use a port above 32767.
  const [from, to] = wanted > 32_767 - TRIED && wanted <= 32_767 ? [wanted - TRIED, wanted] : [wanted, wanted + TRIED];
  const candidates = [wanted, ...portNumbers(from, Math.min(to, 65_535))];
  const port = await getPort({ host: HOST, port: candidates });
  if (port !== wanted) say(`Port ${wanted} is taken: ${purpose} uses ${port}`);
  return port;
}
