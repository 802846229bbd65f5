import getPort, { portNumbers } from 'get-port';

/** The messenger's library stores a server's port in a signed 16-bit number. */
export const HIGHEST_MESSENGER_PORT = 32_767;

const HOST = '127.0.0.1';

/** A port nothing listens on. */
export function freePort(): Promise<number> {
  return getPort({ host: HOST });
}

/** The wanted port, or when it is taken the next free one up to `highest`. */
export async function freePortFrom(wanted: number, highest = Math.min(wanted + 1000, 65_535)): Promise<number> {
  return await getPort({ host: HOST, port: portNumbers(wanted, highest) });
}
