import getPort, { portNumbers } from 'get-port';

const spread = 60;
const portsEach = 100;

/**
 * A free port below 32768, which a messenger server needs, and below those that systems give to outgoing connections.
 * Each test process looks in a range of its own: two that look in the same one find the same port free, and both take it.
 */
export function freePort(): Promise<number> {
  const first = 4_000 + (process.pid % spread) * portsEach;
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + portsEach - 1) });
}
