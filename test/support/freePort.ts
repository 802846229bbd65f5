import getPort, { portNumbers } from 'get-port';

const spread = 60;
const portsEach = 100;
/** Browsers and fetch refuse these ("bad port" of the Fetch standard). */
const refused = [4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697];

/** Of this one of mocha's processes: those of a run follow each other, so that no two get the same range. */
export const NUMBER_OF_PROCESS = process.ppid + Number(process.env.MOCHA_WORKER_ID ?? 0);

/**
 * A free port below 32768, which a messenger server needs, and below those that systems give to outgoing connections.
 * Each test process looks in a range of its own: two that look in the same one find the same port free, and both take it.
 */
export function freePort(): Promise<number> {
  const first = 4_000 + (NUMBER_OF_PROCESS % spread) * portsEach;
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + portsEach - 1), exclude: refused });
}
