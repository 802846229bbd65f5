import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../src/lib/errors.ts';

const POLL_MS = 200;
const SERVICE_START_MS = 60_000;

/** Throws {@link StartError} when the service doesn't answer within a minute, and the signal's reason when it is aborted. */
export async function untilReady(address: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + SERVICE_START_MS;
  for (;;) {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined);
    signal.throwIfAborted();
    if (answer?.ok) return;
    if (performance.now() > end)
      throw new StartError('The service did not answer within a minute: see the lines above and the logs.');
    await sleep(POLL_MS, undefined, { signal });
  }
}
