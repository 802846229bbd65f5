import getPort, { portNumbers } from 'get-port';

const spread = 60;
const portsEach = 200;

/**
 * A free port for a messenger server, which needs one below 32768. Each test process looks in a range of its own:
 * two that look in the same one find the same port free, and both take it.
 */
export function messengerPort(): Promise<number> {
  const first = 20_000 + (process.pid % spread) * portsEach;
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + portsEach - 1) });
}
